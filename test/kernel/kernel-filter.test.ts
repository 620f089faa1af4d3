import { describe, expect, it } from 'vitest';
import { FilterWriter } from '../../src/kernel/kernel-filter.ts';
import { Control } from '../../src/kernel/layout.ts';

const at = Control.filter;

function write(...filters: Parameters<FilterWriter['write']>[0][]) {
  const words = new Uint32Array(Control.bytes / 4);
  const writer = new FilterWriter(words);
  const fits = filters.map((filter) => writer.write(filter));
  const from = Control.words.filters + words[Control.words.activeFilter]! * at.words;
  return { fits, words, active: words.subarray(from, from + at.words) };
}

describe('the filter written for the kernel', () => {
  it('lists disks, processes and operation classes', () => {
    const { active, fits } = write({ devs: [7, 8], tgids: [99], opClasses: ['read', 'discard'] });
    expect(fits).toEqual([true]);
    expect(Array.from(active.subarray(0, at.devs))).toEqual([2, 1, 0b1001, 1]);
    expect(Array.from(active.subarray(at.devs, at.devs + 2))).toEqual([7, 8]);
    expect(active[at.tgids]).toBe(99);
  });

  it('goes into the copy that is not in use', () => {
    const { words } = write({ devs: [7] }, { devs: [8] });
    const banks = [0, 1].map((bank) => words[Control.words.filters + bank * at.words + at.devs]);
    expect(banks).toEqual([8, 7]);
    expect(words[Control.words.activeFilter]).toBe(0);
  });

  it('is off when nothing is listed', () => {
    expect(write({ devs: [7] }, {}).active[at.enabled]).toBe(0);
  });

  it('is judged here as it is there', () => {
    const words = new Uint32Array(Control.bytes / 4);
    const writer = new FilterWriter(words);
    const io = { dev: 7, tgid: 99, op: 0 };
    expect(writer.passes(io)).toBe(true);
    writer.write({ devs: [7, 8], tgids: [99], opClasses: ['read'] });
    expect(writer.passes(io)).toBe(true);
    const others = [
      { ...io, dev: 9 },
      { ...io, tgid: 1 },
      { ...io, op: 1 },
    ];
    expect(others.map((other) => writer.passes(other))).toEqual([false, false, false]);
  });

  it('leaves out a list that is too long, and says so', () => {
    const devs = Array.from({ length: 17 }, (_, index) => index);
    const { fits, active } = write({ devs, tgids: [1] });
    expect(fits).toEqual([false]);
    expect(active[at.devCount]).toBe(0);
    expect(active[at.tgidCount]).toBe(1);
  });
});
