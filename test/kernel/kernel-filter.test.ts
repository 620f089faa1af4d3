import { describe, expect, it } from 'vitest';
import { FilterWriter } from '../../src/kernel/attach/kernel-filter.ts';
import { inWords } from '../../src/kernel/abi/in-words.ts';
import { Control, Filter, FilterList } from '../../src/kernel/abi/layout.ts';

const control = inWords(Control.offsets);
const at = inWords(Filter.offsets);
const inList = inWords(FilterList.offsets);
const FILTER_WORDS = Filter.bytes / 4;

function write(...filters: Parameters<FilterWriter['write']>[0][]) {
  const words = new Uint32Array(Control.bytes / 4);
  const writer = new FilterWriter(words);
  const written = filters.map((filter) => writer.write(filter));
  const from = control.filters + words[control.activeFilter]! * FILTER_WORDS;
  const active = words.subarray(from, from + FILTER_WORDS);
  return { written, words, active, devs: list(active, at.devs), tgids: list(active, at.tgids) };
}

function list(active: Uint32Array, from: number) {
  const count = active[from + inList.count]!;
  const values = Array.from(active.subarray(from + inList.values, from + inList.values + count));
  return { excludes: active[from + inList.excludes], values };
}

describe('the filter written for the kernel', () => {
  it('the kernel filter has lists of disks, processes and operation classes', () => {
    const { active, devs, tgids } = write({
      ...{ devs: [7, 8], tgids: [99], opClasses: ['read', 'discard'] },
    });
    expect(devs).toEqual({ excludes: 0, values: [7, 8] });
    expect(tgids).toEqual({ excludes: 0, values: [99] });
    expect(active[at.opClasses]).toBe(0b1001);
    expect(active[at.enabled]).toBe(1);
  });

  it('the kernel filter has the disks and processes that are excluded', () => {
    const { active, devs, tgids } = write({ excludedDevs: [7, 8], excludedTgids: [99] });
    expect(devs).toEqual({ excludes: 1, values: [7, 8] });
    expect(tgids).toEqual({ excludes: 1, values: [99] });
    expect(active[at.enabled]).toBe(1);
  });

  it('the kernel filter is written into the copy that is not in use', () => {
    const { words } = write({ devs: [7] }, { devs: [8] });
    const first = control.filters + at.devs + inList.values;
    expect([words[first], words[first + FILTER_WORDS]]).toEqual([8, 7]);
    expect(words[control.activeFilter]).toBe(0);
  });

  it('the kernel filter is off when nothing is listed', () => {
    expect(write({ devs: [7] }, {}).active[at.enabled]).toBe(0);
  });

  it('the kernel filter decides as the filter in user space', () => {
    const writer = new FilterWriter(new Uint32Array(Control.bytes / 4));
    const io = { dev: 7, tgid: 99, op: 0 };
    const ios = [io, { ...io, dev: 9 }, { ...io, tgid: 1 }, { ...io, op: 1 }];
    const passing = () => ios.map((one) => writer.passes(one));
    expect(passing()).toEqual([true, true, true, true]);
    writer.write({ devs: [7, 8], tgids: [99], opClasses: ['read'] });
    expect(passing()).toEqual([true, false, false, false]);
    writer.write({ excludedDevs: [9, 10], excludedTgids: [1] });
    expect(passing()).toEqual([true, false, false, true]);
  });

  it('the kernel filter passes all I/O of a disk that is listed or not excluded, unless it asks for more', () => {
    const writer = new FilterWriter(new Uint32Array(Control.bytes / 4));
    const passing = (...[filter]: Parameters<FilterWriter['write']>) => {
      writer.write(filter);
      return [7, 8].map((dev) => writer.passesAllOf(dev));
    };
    expect(passing({})).toEqual([true, true]);
    expect(passing({ devs: [7] })).toEqual([true, false]);
    expect(passing({ excludedDevs: [7] })).toEqual([false, true]);
    expect(passing({ devs: [7], excludedTgids: [1] })).toEqual([false, false]);
    expect(passing({ opClasses: ['read'] })).toEqual([false, false]);
  });

  it('the kernel filter leaves out a list that is too long, and returns what it has', () => {
    const many = Array.from({ length: 17 }, (_, index) => index);
    const { written, devs, tgids } = write({ devs: many, tgids: [1] });
    expect(written).toEqual([{ tgids: [1] }]);
    expect(devs.values).toEqual([]);
    expect(tgids.values).toEqual([1]);
    expect(write({ excludedDevs: many, opClasses: ['read'] }).written).toEqual([
      { opClasses: ['read'] },
    ]);
  });
});
