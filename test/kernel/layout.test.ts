import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseBtf, type Btf } from '../../src/kernel/btf.ts';
import {
  Completion,
  Control,
  COUNTER_NAMES,
  COUNTERS_BYTES,
  Inflight,
  Summary,
} from '../../src/kernel/layout.ts';
import { elfSection } from './fixtures/elf-section.ts';

const object = readFileSync(join(import.meta.dirname, '../../bpf/ioheat.bpf.o'));

function objectTypes(): Btf {
  const section = elfSection(object, '.BTF');
  if (section === undefined) throw new Error('the object has no .BTF');
  const btf = parseBtf(section);
  if (!btf.ok) throw new Error(btf.error.what);
  return btf.value;
}

/** Names of C in the writing of TypeScript. */
function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function offsets(struct: string, unitBytes: number): Record<string, number> {
  const members = objectTypes().members(struct) ?? [];
  return Object.fromEntries(
    members.map(({ name, offsetBits }) => [camelCase(name), offsetBits / 8 / unitBytes]),
  );
}

describe('the layout that TypeScript believes in is that of the object', () => {
  it('for records in the ring', () => {
    const { error, flags, ...words } = offsets('io_completion', 4);
    expect({ ...words, errorAndFlags: error }).toEqual(Completion.words);
    expect(flags).toBe(error! + 0.5);
    expect(objectTypes().structBytes('io_completion')).toBe(Completion.bytes);
  });

  it('for requests in flight', () => {
    expect(offsets('inflight', 1)).toEqual(Inflight.offsets);
    expect(objectTypes().structBytes('inflight')).toBe(Inflight.bytes);
  });

  it('for summaries', () => {
    expect(offsets('summary', 1)).toEqual(Summary.offsets);
    expect(objectTypes().structBytes('summary')).toBe(Summary.bytes);
  });

  it('for what user space writes', () => {
    expect(offsets('control', 4)).toMatchObject(Control.words);
    expect(objectTypes().structBytes('control')).toBe(Control.bytes);
    expect(offsets('filter', 4)).toEqual({
      devCount: Control.filter.devCount,
      tgidCount: Control.filter.tgidCount,
      opClasses: Control.filter.opClasses,
      enabled: Control.filter.enabled,
      devs: Control.filter.devs,
      tgids: Control.filter.tgids,
    });
    expect(objectTypes().structBytes('filter')).toBe(4 * Control.filter.words);
    expect(offsets('summary_device', 4)).toEqual({
      dev: Control.device.dev,
      offsetShift: Control.device.offsetShift,
    });
  });

  it('for the counters', () => {
    const { reserved, ...counters } = offsets('counters', 8);
    expect(Object.keys(counters)).toEqual([...COUNTER_NAMES]);
    expect(Object.values(counters)).toEqual(COUNTER_NAMES.map((_, index) => index));
    expect(reserved).toBe(COUNTER_NAMES.length);
    expect(objectTypes().structBytes('counters')).toBe(COUNTERS_BYTES);
  });
});

describe('the object', () => {
  it('names no path of the machine that built it', () => {
    expect(object.includes('/home/')).toBe(false);
    expect(object.includes(join(import.meta.dirname, '../..'))).toBe(false);
  });
});
