import { expect, test } from 'vitest';
import { IdentityMark } from '../../../src/model/identity.ts';
import { Op, opClass, OP_MASK } from '../../../src/model/operation.ts';
import { DEFAULT_PATTERN, findPattern, PATTERNS } from '../../../src/trace/synthetic/patterns.ts';
import { lineNs } from '../../../src/trace/synthetic/patterns/icy-lake.ts';
import { activeDisks } from '../../../src/trace/synthetic/patterns/pterodactyl.ts';
import { HandClock, openPattern, quantile, secondOf, totalNs, trace } from './trace.ts';
import type { Row } from './trace.ts';

function latencies(rows: readonly Row[]): number[] {
  return rows.map(totalNs);
}

function isIncreasing(values: readonly number[]): boolean {
  return values.every((value, i) => i === 0 || value > values[i - 1]!);
}

test('every pattern has a name of its own, a title and a hint what to look at', () => {
  expect(new Set(PATTERNS.map(({ name }) => name)).size).toBe(PATTERNS.length);
  for (const pattern of PATTERNS) {
    expect(pattern.name).toMatch(/^[a-z-]+$/);
    expect(pattern.title.length).toBeLessThan(60);
    expect(pattern.whatToSee).not.toBe('');
    expect(findPattern(pattern.name)).toBe(pattern);
  }
  expect(findPattern(DEFAULT_PATTERN)).toBeDefined();
  expect(findPattern('no-such-pattern')).toBeUndefined();
});

test('two-bands has a line of hits, a cloud of misses and nothing between', () => {
  const values = latencies(trace('two-bands', 10));
  const misses = values.filter((value) => value >= 2e6);
  expect(quantile(values, 0.5)).toBeCloseTo(49e3, -4);
  expect(misses.length / values.length).toBeCloseTo(0.09, 1);
  expect(Math.max(...misses)).toBeLessThan(10.1e6);
  expect(values.filter((value) => value > 0.5e6 && value < 2e6)).toEqual([]);
});

test('icy-lake draws one thin line per disk', () => {
  const rows = trace('icy-lake', 30).filter((row) => secondOf(row) === 25);
  const disks = new Set(rows.map(({ key }) => key.dev));
  expect(disks.size).toBe(6);
  for (const dev of disks) {
    const line = rows.filter(({ key }) => key.dev === dev).map(({ deviceNs }) => deviceNs);
    expect(line.length).toBeGreaterThan(30);
    expect(quantile(line, 0.95) - quantile(line, 0.05)).toBeLessThan(0.8e6);
  }
});

test('lines of icy-lake rise and fall, and what one disk of a pair gains, the other loses', () => {
  const rises: boolean[] = [];
  for (let second = 0; second < 120; second++) {
    expect(lineNs(0, second) + lineNs(1, second)).toBeCloseTo(0.6e6 + 8.33e6, 0);
    rises.push(lineNs(0, second + 1) > lineNs(0, second));
  }
  expect(new Set(rises).size).toBe(2);
});

test('pterodactyl adds a disk every two seconds up to 48 and then pauses', () => {
  expect([0, 1.9, 2, 95.9, 96, 119.9, 120].map(activeDisks)).toEqual([1, 1, 2, 48, 0, 0, 1]);
  const rows = trace('pterodactyl', 20);
  for (const second of [0, 5, 19]) {
    const disks = new Set(rows.filter((row) => secondOf(row) === second).map((r) => r.key.dev));
    expect(disks.size).toBe(activeDisks(second));
  }
});

test('the beak of pterodactyl is two lines, its neck thin, its tail high and wide', () => {
  const rows = trace('pterodactyl', 96);
  const during = (from: number, to: number): number[] =>
    rows.filter((row) => secondOf(row) >= from && secondOf(row) < to).map((row) => row.deviceNs);
  const beak = during(2, 4);
  const width = (values: number[]): number => quantile(values, 0.99) - quantile(values, 0.01);
  expect(beak.filter((value) => value > 1e6 && value < 1.9e6)).toEqual([]);
  expect(beak.filter((value) => value < 1e6).length / beak.length).toBeCloseTo(0.6, 1);
  expect(width(during(25, 28))).toBeLessThan(width(during(18, 22)));
  expect(quantile(during(30, 34), 0.5)).toBeGreaterThan(2 * quantile(during(25, 28), 0.5));
  expect(width(during(90, 96))).toBeGreaterThan(2 * width(during(40, 46)));
});

test('each disk of pterodactyl is read from front to back', () => {
  const rows = trace('pterodactyl', 40);
  for (const dev of new Set(rows.map(({ key }) => key.dev))) {
    expect(isIncreasing(rows.filter(({ key }) => key.dev === dev).map((r) => r.sector))).toBe(true);
  }
});

test('levels has thin levels, more of them with more disks, and gaps between', () => {
  const rows = trace('levels', 100);
  const levelsAt = (second: number): number => {
    const values = rows.filter((row) => secondOf(row) === second).map((row) => row.deviceNs);
    const tenths = new Set(values.map((value) => Math.round(Math.log(value) * 10)));
    return [...tenths].filter((tenth) => !tenths.has(tenth - 1)).length;
  };
  expect([10, 40, 60, 90].map(levelsAt)).toEqual([1, 2, 3, 4]);
});

test('bursts writes only in the seconds of the flusher, and reads without a break', () => {
  const rows = trace('bursts', 30);
  const writes = rows.filter(({ key }) => opClass(key.cmdFlags) === 'write');
  const seconds = new Set(writes.map(secondOf));
  expect([...seconds]).toEqual([2, 7, 12, 17, 22, 27]);
  const readSeconds = rows.filter(({ key }) => opClass(key.cmdFlags) === 'read').map(secondOf);
  expect(new Set(readSeconds).size).toBe(30);
});

test('writes of a burst wait in the queue, longer and longer, and belong to a kernel thread', () => {
  const writes = trace('bursts', 5).filter(({ key }) => opClass(key.cmdFlags) === 'write');
  expect(writes.every(({ key }) => (key.marks & IdentityMark.indirect) !== 0)).toBe(true);
  const late = writes.filter(({ completeNs }) => completeNs > 2.5e9);
  const early = writes.filter(({ completeNs }) => completeNs < 2.1e9);
  expect(
    quantile(
      late.map((r) => r.queueNs),
      0.5,
    ),
  ).toBeGreaterThan(400e6);
  expect(
    quantile(
      early.map((r) => r.queueNs),
      0.5,
    ),
  ).toBeLessThan(100e6);
});

test('shouting has two spikes above one second next to thousands of fast writes', () => {
  const rows = trace('shouting', 60);
  const slow = rows.filter((row) => totalNs(row) > 1e9);
  expect(new Set(slow.map(secondOf))).toEqual(new Set([21, 35]));
  expect(slow.length).toBeGreaterThan(60);
  const beside = rows.filter((row) => secondOf(row) === 21 && totalNs(row) < 10e6);
  expect(beside.length).toBeCloseTo(8000, -2);
});

test('offsets has one sequential process and one random process', () => {
  const rows = trace('offsets', 80);
  const of = (comm: string): number[] =>
    rows.filter(({ key }) => key.comm === comm).map(({ sector }) => sector);
  const wholeDisk = (32 * 2 ** 30) / 512;
  const sequential = of('dd');
  expect(isIncreasing(sequential)).toBe(true);
  expect(sequential[0]! / wholeDisk).toBeCloseTo(0, 2);
  expect(sequential.at(-1)! / wholeDisk).toBeCloseTo(1, 2);
  const tenths = new Array<number>(10).fill(0);
  for (const sector of of('postgres')) tenths[Math.floor((sector / wholeDisk) * 10)]!++;
  for (const count of tenths) expect(count / (of('postgres').length / 10)).toBeCloseTo(1, 1);
});

test('mixed has three disks, the processes of a server, flushes and a few failed reads', () => {
  const rows = trace('mixed', 180);
  const source = openPattern('mixed', new HandClock());
  expect(source.info.devices().map(({ name }) => name)).toEqual(['nvme0n1', 'sda', 'sdb']);
  const comms = new Set(rows.map(({ key }) => key.comm));
  for (const comm of ['mysqld', 'postgres', 'java', 'node', 'rsync', 'kworker/u16:3']) {
    expect(comms).toContain(comm);
  }
  expect(rows.some(({ key }) => (key.cmdFlags & OP_MASK) === Op.flush)).toBe(true);
  const failed = rows.filter(({ key }) => key.error !== 0);
  expect(failed.length).toBeGreaterThan(3);
  expect(failed.length).toBeLessThan(40);
  expect(failed.every((row) => row.deviceNs > 2e9)).toBe(true);
});

test('the batch of mixed slows the queries on its disk and on no other', () => {
  const rows = trace('mixed', 110);
  const median = (comm: string, from: number, to: number): number =>
    quantile(
      rows
        .filter((row) => row.key.comm === comm && opClass(row.key.cmdFlags) === 'read')
        .filter((row) => secondOf(row) >= from && secondOf(row) < to)
        .map(totalNs),
      0.5,
    );
  expect(median('postgres', 65, 110) / median('postgres', 10, 55)).toBeGreaterThan(3);
  expect(median('mysqld', 65, 110) / median('mysqld', 10, 55)).toBeCloseTo(1, 1);
  const rsync = rows.filter(({ key }) => key.comm === 'rsync').map(secondOf);
  expect(Math.min(...rsync)).toBe(60);
});
