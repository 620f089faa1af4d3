import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appendRows, createColumns } from '../../../src/model/completion-columns.ts';
import type { CompletionColumns } from '../../../src/model/completion-columns.ts';
import type { IdentityTable } from '../../../src/model/identity-table.ts';
import { layerOf } from '../../../src/model/layer.ts';
import type { Layer } from '../../../src/model/layer.ts';
import { END_OF_STREAM } from '../../../src/trace/recording/arrow/arrow-message.ts';
import type { RecordingHeader } from '../../../src/trace/recording/format/recording-header.ts';
import type { PatternName } from '../../../src/trace/synthetic/patterns.ts';
import { bytesOf, encoderFor, HEADER, pattern } from '../recording/fixtures/record.ts';

export interface RecordedPattern {
  readonly name: PatternName;
  readonly seconds: number;
  readonly seed?: number;
  readonly rate?: number;
  readonly header?: Partial<RecordingHeader>;
  /** Leaves out the I/O of other layers. */
  readonly layer?: Layer;
}

/** What a pattern does, as the bytes of a recording. */
export async function recordedBytes(recorded: RecordedPattern): Promise<Uint8Array> {
  const { name, seconds, seed = 1, rate, header = {}, layer } = recorded;
  const { source, moveTo } = pattern(name, seed, rate);
  const encoder = encoderFor(source, { ...HEADER, ...header });
  const parts = [encoder.begin()];
  for (let second = 1; second <= seconds; second++) {
    moveTo(second * 1e9);
    for (let rows = source.read(); rows.length > 0; rows = source.read())
      parts.push(await bytesOf(encoder.append(ofLayer(rows, layer, source.info.identities))));
  }
  parts.push(await bytesOf(encoder.flush(source.counters())), END_OF_STREAM);
  return Buffer.concat(parts);
}

function ofLayer(
  rows: CompletionColumns,
  layer: Layer | undefined,
  identities: IdentityTable,
): CompletionColumns {
  if (layer === undefined) return rows;
  const kept = createColumns(rows.length);
  for (let row = 0; row < rows.length; row++)
    if (layerOf(identities.get(rows.identity[row]!)) === layer)
      appendRows(kept, rows, row, row + 1);
  return kept;
}

/** A folder for recordings, that goes with its tests. */
export class RecordingFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'ioheat-replay-'));

  async add(fileName: string, recorded: RecordedPattern): Promise<string> {
    const file = join(this.path, fileName);
    writeFileSync(file, await recordedBytes(recorded));
    return file;
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}
