import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Counters } from '../../src/kernel/abi/layout.ts';
import type { KernelCounters } from '../../src/kernel/counts/counter-reader.ts';
import { lossesOf, type LossFacts } from '../../src/kernel/live/losses.ts';

const NONE = Object.fromEntries(
  Object.keys(Counters.offsets).map((name) => [name, 0]),
) as KernelCounters;
const [SDA, SDB] = [8 << 20, (8 << 20) + 16];

interface Given {
  readonly kernel?: Partial<KernelCounters>;
  readonly vanished?: readonly (readonly [number, number])[];
  readonly skipped?: number;
  /** By disk, what only the kernel's own counts include. */
  readonly missing?: readonly (readonly [number, number])[];
}

function losses({ kernel, vanished = [], skipped = 0, missing = [] }: Given) {
  const facts: LossFacts = {
    kernel: { ...NONE, ...kernel },
    vanishedOn: new Map(vanished),
    skipped,
    audit: {
      missing: missing.reduce((sum, [, count]) => sum + count, 0),
      missingOn: (known) => new Map(missing.map(([dev, n]) => [dev, Math.max(0, n - known)])),
    },
  };
  const { losses: found, lostOn } = lossesOf(facts);
  return { found, lost: Object.values(found).reduce((sum, count) => sum + count, 0), lostOn };
}

describe('what is lost', () => {
  it('nothing is lost where no counter says so, and layers that are not traced have no line', () => {
    const { found, lost, lostOn } = losses({});
    expect(lost).toBe(0);
    expect(lostOn).toEqual([]);
    expect(Object.keys(found)).not.toContain('volumes');
  });

  it('a missed completion counts once, though its request, the kernel and its own counts show it', () => {
    const noticed = losses({ vanished: [[SDA, 3]], skipped: 3, missing: [[SDA, 3]] });
    expect(noticed.lost).toBe(3);
    expect(noticed.found).toMatchObject({ vanished: 3, skipped: 0, unseen: 0 });
    expect(noticed.lostOn).toEqual([{ dev: SDA, way: 'vanished', count: 3 }]);
    const reused = losses({ kernel: { overwrittenAtIssue: 3 }, skipped: 3, missing: [[SDA, 3]] });
    expect(reused.lost).toBe(3);
  });

  it('a skipped run whose request nobody has noticed yet is lost', () => {
    const { lost, found } = losses({ vanished: [[SDA, 1]], skipped: 4, missing: [[SDA, 4]] });
    expect(found).toMatchObject({ vanished: 1, skipped: 3, unseen: 0 });
    expect(lost).toBe(4);
  });

  it('I/O that only the kernel counts is lost on the disk that it names', () => {
    const { found, lostOn } = losses({
      missing: [
        [SDA, 5],
        [SDB, 0],
      ],
    });
    expect(found).toMatchObject({ unseen: 5 });
    expect(lostOn).toEqual([{ dev: SDA, way: 'unseen', count: 5 }]);
  });

  it('second completions of a flush that began before the trace are not lost', () => {
    expect(losses({ kernel: { repeated: 2 }, missing: [[SDA, 2]] }).lost).toBe(0);
  });

  it('volumes, waits and calls are counted apart', () => {
    const kernel = { volumeLost: 1, volumeUnsummarised: 1, waitsUnseen: 4, callsForgotten: 8 };
    expect(losses({ kernel }).found).toMatchObject({ volumes: 2, waits: 4, calls: 8 });
  });

  it('docs/accuracy.md explains each way', () => {
    const all = Object.fromEntries(Object.keys(NONE).map((name) => [name, 1])) as KernelCounters;
    const [, section = ''] = readFileSync('docs/accuracy.md', 'utf8').split('\n## Lost I/O\n');
    const explained = [...section.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    expect(explained).toEqual(Object.keys(losses({ kernel: all }).found));
  });
});
