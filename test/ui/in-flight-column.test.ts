import { describe, expect, it } from 'vitest';
import { chosenDiskColumns } from '../../src/ui/tables/disk-columns.ts';
import { sortDisks } from '../../src/ui/tables/sort-rows.ts';
import { DISK } from './fixtures/chrome-state.ts';

const HUNG = { ...DISK, disk: 'sda', inFlight: { count: 32, oldestNs: 1.4e9 } };
const IDLE = { ...DISK, disk: 'sdb', inFlight: { count: 0, oldestNs: 0 } };

describe('the column of what is in flight', () => {
  const [column] = chosenDiskColumns(['inflight'], 'inflight', [HUNG, IDLE]).filter(
    ({ title }) => title === 'IN FLIGHT',
  );

  it('the column of what is in flight has the number of requests and the age of the oldest, marked from a second on', () => {
    expect([HUNG, IDLE, DISK].map((row) => column?.cell(row, 11))).toEqual(['32, 1.4s', '0', '-']);
    expect([HUNG, IDLE].map((row) => column?.role?.(row))).toEqual(['warning', 'plain']);
    expect([HUNG, IDLE, DISK].map((row) => column?.isKnown?.(row))).toEqual([true, false, false]);
  });

  it('the column of what is in flight sorts the oldest first', () => {
    const sorted = sortDisks([DISK, IDLE, HUNG], 'inflight');
    expect(sorted.map(({ disk }) => disk)).toEqual(['sda', 'sdb', DISK.disk]);
  });
});
