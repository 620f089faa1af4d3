import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openStream } from '../../../src/app/open/stdin-trace.ts';
import { formatError } from '../../../src/base/result.ts';
import { NO_CGROUP_NAMES } from '../../../src/model/cgroup-names.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { InFlightBook } from '../../../src/model/in-flight-book.ts';
import { MachinePressure } from '../../../src/model/machine-pressure.ts';
import { NoteBook } from '../../../src/model/notes.ts';
import { END_OF_STREAM } from '../../../src/trace/recording/arrow/arrow-message.ts';
import { RecordingEncoder } from '../../../src/trace/recording/format/recording-encoder.ts';
import type { TraceReader } from '../../../src/trace/trace-reader.ts';
import {
  bytesOf,
  HEADER,
  pattern,
  readerOf,
  recordPattern,
} from '../../trace/recording/fixtures/record.ts';
import { must } from '../../must.ts';

const HANGING = {
  number: 4,
  sinceNs: 10e9,
  issueNs: 10.5e9,
  untilNs: Infinity,
  identity: {
    ...{ dev: 8 << 20, cmdFlags: 0, tgid: 7, tid: 8, comm: 'dd', cgroup: 1, error: 0, marks: 0 },
  },
  bytes: 4096,
  sector: 64,
  file: undefined,
  fileOffset: undefined,
};

/** A recording of all that a machine may report next to its I/O. */
async function recording(): Promise<Uint8Array> {
  const { source } = pattern('mixed');
  const [notes, inFlight, pressure] = [new NoteBook(), new InFlightBook(), new MachinePressure()];
  notes.put(10e9, 'deploy 4.2');
  inFlight.put(HANGING);
  pressure.put({ atNs: 1e9, someNs: 5, fullNs: 3 });
  pressure.put({ atNs: 2e9, someNs: 9, fullNs: 4 });
  const encoder = new RecordingEncoder({
    ...{ header: HEADER, identities: source.info.identities, notes, inFlight, pressure },
    names: { devices: source.info, cgroups: NO_CGROUP_NAMES },
    recorded: () => ({ startNs: 0, endNs: 60e9 }),
  });
  const begin = encoder.begin();
  return Buffer.concat([begin, await bytesOf(encoder.flush(source.counters())), END_OF_STREAM]);
}

/** What a reader knows at the end. */
function knownTo(reader: TraceReader) {
  while (typeof reader.next() === 'object');
  const { header, recorded, notes, inFlight, pressure } = reader;
  return {
    ...{ header, recorded },
    notes: notes?.list(),
    inFlight: inFlight?.spans(),
    pressure: pressure?.samplesAfter(-Infinity),
    disks: reader.devices(),
  };
}

/** A damaged length: longer than what is held otherwise, and as long as metadata may be. */
function startOfLongMessage(): Buffer {
  const prefix = Buffer.alloc(8, 0xff);
  prefix.writeUInt32LE(24 << 20, 4);
  return prefix;
}

test('a recording from a pipe is read to its end although damage looks like a very long message', async () => {
  const { parts, rows } = await recordPattern('mixed', 3);
  const [begin, first, ...others] = parts;
  const pieces = Array.from({ length: 30 }, () => Buffer.alloc(1 << 20));
  const input = Readable.from([begin!, first!, startOfLongMessage(), ...pieces, ...others]);
  const opened = must(await openStream(input, new IdentityTable()));
  let [count, waits] = [0, 0];
  for (let next = opened.next(); next !== 'ended'; next = opened.next()) {
    if (next !== 'waiting') count += next.rows.length;
    else if (waits++ < 1000) await nextTurn();
    else throw new Error('it waits for what is held back');
  }
  expect(count).toBe(rows.length);
});

test('a recording from a pipe has all that the same recording has in a file', async () => {
  const bytes = await recording();
  const opened = must(await openStream(Readable.from([bytes]), new IdentityTable()));
  const truth = knownTo(readerOf(bytes));
  expect(truth.notes).toEqual([{ atNs: 10e9, text: 'deploy 4.2' }]);
  expect(truth.inFlight).toHaveLength(1);
  expect(truth.pressure).toHaveLength(2);
  expect(knownTo(opened)).toEqual(truth);
});

test('input on a pipe that is too short to be recognised at once is refused for the reason that a file is', async () => {
  const zipped = gzipSync('fio-1234  [000] 1.5: block_rq_complete: 8,0 R () 0 + 8 [0]\n');
  const opened = await openStream(
    Readable.from([zipped.subarray(0, 20), zipped.subarray(20)]),
    new IdentityTable(),
  );
  expect(opened.ok ? '' : formatError(opened.error)).toContain('compressed');
});
