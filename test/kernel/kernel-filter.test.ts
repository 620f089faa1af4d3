import { describe, expect, it } from 'vitest';
import { FilterWriter } from '../../src/kernel/attach/kernel-filter.ts';
import { inWords } from '../../src/kernel/abi/in-words.ts';
import { Control, Filter } from '../../src/kernel/abi/layout.ts';

const control = inWords(Control.offsets);
const at = inWords(Filter.offsets);
const FILTER_WORDS = Filter.bytes / 4;

function write(...filters: Parameters<FilterWriter['write']>[0][]) {
  const words = new Uint32Array(Control.bytes / 4);
  const writer = new FilterWriter(words);
  const fits = filters.map((filter) => writer.write(filter));
  const from = control.filters + words[control.activeFilter]! * FILTER_WORDS;
  return { fits, words, active: words.subarray(from, from + FILTER_WORDS) };
}

describe('the filter written for the kernel', () => {
  it('the kernel filter has lists of disks, processes and operation classes', () => {
    const { active, fits } = write({ devs: [7, 8], tgids: [99], opClasses: ['read', 'discard'] });
    expect(fits).toEqual([true]);
    expect(Array.from(active.subarray(0, at.devs))).toEqual([2, 1, 0b1001, 1]);
    expect(Array.from(active.subarray(at.devs, at.devs + 2))).toEqual([7, 8]);
    expect(active[at.tgids]).toBe(99);
  });

  it('the kernel filter is written into the copy that is not in use', () => {
    const { words } = write({ devs: [7] }, { devs: [8] });
    const banks = [0, 1].map((bank) => words[control.filters + bank * FILTER_WORDS + at.devs]);
    expect(banks).toEqual([8, 7]);
    expect(words[control.activeFilter]).toBe(0);
  });

  it('the kernel filter is off when nothing is listed', () => {
    expect(write({ devs: [7] }, {}).active[at.enabled]).toBe(0);
  });

  it('the kernel filter decides as the filter in user space', () => {
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

  it('the kernel filter leaves out a list that is too long, and says so', () => {
    const devs = Array.from({ length: 17 }, (_, index) => index);
    const { fits, active } = write({ devs, tgids: [1] });
    expect(fits).toEqual([false]);
    expect(active[at.devCount]).toBe(0);
    expect(active[at.tgidCount]).toBe(1);
  });
});
