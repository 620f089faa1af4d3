import fc from 'fast-check';
import type { CompletionColumns } from '../../src/model/completion-columns.ts';
import { compileFilter } from '../../src/filter/match/match.ts';
import { NO_FILTER } from '../../src/filter/filter.ts';
import type { Filter } from '../../src/filter/filter.ts';
import { IdentityMark } from '../../src/model/identity.ts';
import type { Identity } from '../../src/model/identity.ts';
import { UNKNOWN_DEVICE } from '../../src/model/device.ts';
import { OP_UNKNOWN, RequestFlag } from '../../src/model/operation.ts';
import { RowPicker } from '../../src/export/rows/row-picker.ts';
import type { RowContext } from '../../src/export/rows/event-row.ts';
import type { RowEncoder } from '../../src/export/rows/row-encoder.ts';
import { columnsOf, createInfo, keyOf, LOOP } from '../history/fixtures.ts';
import type { Row } from '../history/fixtures.ts';

/** As cgroups may be called, by number. */
const CGROUPS = new Map([
  [1, '/'],
  [4711, '=HYPERLINK("a,b")'],
]);

/** Names as processes give them to themselves to deceive whoever reads the table. */
export const HOSTILE_COMMS = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  "'quoted",
  '","x":"',
  'two\nlines',
  'a,b',
  'tab\there',
  '\u001b[31mred',
  '',
  '  ',
  'naïve',
  '1 2 3',
];

const { ownerUnknown, processUnknown, flagsUnknown, errorUnknown, sizeUnknown } = IdentityMark;

const anyComm = fc.oneof(
  fc.constantFrom(...HOSTILE_COMMS),
  fc.string({ unit: 'grapheme-ascii', maxLength: 15 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
);

const anyKey: fc.Arbitrary<Identity> = fc
  .record({
    dev: fc.constantFrom(keyOf().dev, LOOP, UNKNOWN_DEVICE),
    cmdFlags: fc.constantFrom(0, 1, 2, 3, 34, OP_UNKNOWN, 1 | RequestFlag.sync | RequestFlag.meta),
    tgid: fc.nat(2 ** 22),
    tid: fc.nat(2 ** 22),
    comm: anyComm,
    error: fc.constantFrom(0, 0, 0, -5, 10, -4000),
    // Only the first two have names.
    cgroup: fc.constantFrom(0, 1, 4711, 2 ** 40 + 1),
    marks: fc
      .subarray([ownerUnknown, processUnknown, flagsUnknown, errorUnknown, sizeUnknown])
      .map((marks) => marks.reduce((all, mark) => all | mark, 0)),
  })
  .map(keyOf);

/** Four that differ. */
export const fourKeys = fc
  .array(anyKey, { minLength: 4, maxLength: 4 })
  .map((keys) => keys.map((key, i) => ({ ...key, tid: key.tid * 4 + i })));

const wholeNs = fc.nat(2 ** 31 - 1).map(Math.fround);

/** Latencies in whole ns, as the kernel gives them. */
export const anyRow: fc.Arbitrary<Row> = fc.record({
  completeNs: fc.nat(2 ** 31 - 1).map((n) => n * 1000 + (n % 1000)),
  deviceNs: fc.oneof(wholeNs, fc.constant(NaN)),
  queueNs: fc.oneof(wholeNs, fc.constant(NaN)),
  sector: fc.oneof(
    fc.nat(2 ** 31 - 1).map((n) => n * 1000),
    fc.constant(NaN),
  ),
  bytes: fc.nat(2 ** 31 - 1),
  key: fc.nat(3),
});

export const WALL_NS = 1_700_000_000_123_456_789n;

export function contextOf(
  keys: readonly Identity[],
  changes: Partial<RowContext> = {},
): RowContext {
  const cgroups = { name: (id: number) => CGROUPS.get(id) };
  const info = { ...createInfo(keys), cgroups };
  return {
    identities: info.identities,
    names: info,
    clockBase: { monotonicNs: 0n, wallNs: WALL_NS },
    hasWallClock: true,
    unknown: [],
    ...changes,
  };
}

export function pickerOf(context: RowContext, filter: Filter = NO_FILTER): RowPicker {
  const compiled = compileFilter(filter, context.identities, context.names);
  return new RowPicker({ filter: compiled, fromNs: -Infinity, toNs: Infinity });
}

const BLOCK_ROWS = 7;

/** All that an encoder writes, the rows handed over in blocks. */
export function encodeAll(encoder: RowEncoder, rows: readonly Row[], picker: RowPicker): Buffer {
  const parts = [Buffer.from(encoder.begin())];
  for (let from = 0; from < rows.length; from += BLOCK_ROWS) {
    const columns: CompletionColumns = columnsOf(rows.slice(from, from + BLOCK_ROWS));
    parts.push(Buffer.from(encoder.encode(columns, picker)));
  }
  parts.push(Buffer.from(encoder.end()));
  return Buffer.concat(parts);
}
