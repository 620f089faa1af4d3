import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  Control,
  Counters,
  Extent,
  FileId,
  Inflight,
  IoCompletion,
  Summary,
  Via,
} from '../../src/kernel/abi/layout.ts';

const BPF = join(import.meta.dirname, '../../bpf');
const text = (file: string): string => readFileSync(join(BPF, file), 'utf8');
const README = text('README.md');

/** Cells of the rows of a section's table. */
function rows(heading: string): string[][] {
  const section = README.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('| `'));
  return lines.map((line) => line.split('|').map((cell) => cell.trim()));
}

function names(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);
}

describe('the page about the kernel programs', () => {
  it('the page about the kernel programs has every program with its tracepoint', () => {
    const written = rows('Programs').flatMap(([, programs = '', tracepoint = '']) =>
      names(programs).map((program) => [names(tracepoint)[0], program]),
    );
    const programs = [...text('ioheat.bpf.c').matchAll(/SEC\("tp_btf\/(\w+)"\)\nint (\w+)\(/g)];
    expect(written).toHaveLength(programs.length);
    expect(new Map(written.map(([point, program]) => [program, point]))).toEqual(
      new Map(programs.map(([, point, program]) => [program, point])),
    );
  });

  it('the page about the kernel programs names functions that the headers define', () => {
    const steps = [...README.matchAll(/`(\w+\.bpf\.h):(\w+)`/g)];
    expect(steps.length).toBeGreaterThan(6);
    const missing = steps.filter(([, file, called]) => !text(file!).includes(`int ${called!}(`));
    expect(missing).toEqual([]);
  });

  it('the page about the kernel programs has every map', () => {
    const maps = [...text('maps.bpf.h').matchAll(/^\} (\w+) SEC\("\.maps"\)/gm)].map(([, m]) => m);
    expect(rows('Maps').flatMap(([, map = '']) => names(map))).toEqual(maps);
  });

  it('the page about the kernel programs has the sizes of what user space reads', () => {
    const stated = new Map(rows('Maps').map(([, map = '', , bytes]) => [names(map)[0], bytes]));
    const structs = {
      inflight: Inflight,
      extents: Extent,
      files: FileId,
      vias: Via,
      summaries: Summary,
      cpu_counters: Counters,
      controls: Control,
    };
    for (const [map, { bytes }] of Object.entries(structs))
      expect([map, stated.get(map)]).toEqual([map, bytes.toLocaleString('en')]);
    expect(stated.get('events')).toBe(`${IoCompletion.bytes} + 8`);
  });
});
