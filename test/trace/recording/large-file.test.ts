import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { openRecording } from '../../../src/trace/recording/reading/open-recording.ts';
import { recordPattern } from './fixtures/record.ts';
import { must } from '../../must.ts';

/** Their distances to 2^32 differ in sign. */
const SIZES_GIB = [2, 5];

test.each(SIZES_GIB)(
  'a recording of more than %i GiB is opened with its time range, as a smaller one is',
  async (gib) => {
    const { parts, rows } = await recordPattern('mixed', 3);
    const folder = mkdtempSync(join(tmpdir(), 'ioheat-large-'));
    const path = join(folder, 'io.ioheat');
    // A hole in place of what a long recording has in the middle.
    const fd = openSync(path, 'wx');
    const [begin, first, ...others] = parts;
    const start = Buffer.concat([begin!, first!]);
    writeSync(fd, start, 0, start.length, 0);
    const rest = Buffer.concat(others);
    writeSync(fd, rest, 0, rest.length, gib * 2 ** 30 + 64);
    closeSync(fd);
    const reader = must(openRecording(path, new IdentityTable()));
    const { extent } = reader.header;
    reader.dispose();
    rmSync(folder, { recursive: true });
    const endNs = Math.max(...rows.completeNs.subarray(0, rows.length));
    expect(extent).toMatchObject({ endNs, rows: rows.length });
  },
);
