import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Layer } from '../../src/model/layer.ts';
import type { OpClass } from '../../src/model/operation.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { ZramDevice } from '../load/zram-device.ts';
import { needs, type Need } from '../needs.ts';
import { TraceSession } from './fixtures/trace-session.ts';

const DISK_BYTES = 64 << 20;
/** Has its memory written to swap, prints its ID and how many kB are there, and reads all of it back. */
const SWAP_OUT_AND_IN = `
import mmap, os, re
size, MADV_PAGEOUT = 16 << 20, 21
memory = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory.write(os.urandom(size))
memory.madvise(MADV_PAGEOUT)
swapped = re.search(r"VmSwap:\\s*(\\d+)", open("/proc/self/status").read())[1]
sum(memory[at] for at in range(0, size, 4096))
print(os.getpid(), swapped)`;

interface Place {
  readonly name: string;
  readonly layer: Layer;
  readonly needs: readonly Need[];
  /** What is still being written to a disk is in the cache, and is not read from there. */
  readonly ops: readonly OpClass[];
  readonly open: () => LoopDevice | ZramDevice;
}

const PLACES: readonly Place[] = [
  {
    ...{ name: 'a disk', layer: 'disks', needs: ['tracing'], ops: ['write'] },
    open: () => LoopDevice.create({ bytes: DISK_BYTES }),
  },
  {
    ...{ name: 'zram', layer: 'volumes', needs: ['tracing', 'zram'], ops: ['read', 'write'] },
    open: () => ZramDevice.create(DISK_BYTES),
  },
];

/** Swaps to this disk and no other. */
function swapTo(path: string): [pid: number, kib: number] {
  execFileSync('mkswap', [path]);
  execFileSync('swapon', ['--priority', '32767', path]);
  try {
    const printed = execFileSync('python3', ['-c', SWAP_OUT_AND_IN], { encoding: 'latin1' });
    const [pid, kib] = printed.split(' ').map(Number);
    return [pid!, kib!];
  } finally {
    execFileSync('swapoff', [path]);
  }
}

describe.each(PLACES)('swap on $name', ({ layer, needs: needed, ops, open }) => {
  it('is called swap, and is of the process whose memory it has', needs(...needed), () => {
    const disk = open();
    const session = TraceSession.open();
    session.focus(disk.dev);
    try {
      const [pid, kib] = swapTo(disk.path);
      const own = session.take(disk.dev, layer).filter(({ key }) => key.tgid === pid);
      const written = own.filter(({ op }) => op === 'write');
      expect(kib).toBeGreaterThan(0);
      expect(written.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(kib * 1024);
      expect(own.map(({ op }) => op)).toEqual(expect.arrayContaining([...ops]));
      expect(own.filter(({ file }) => file.kind !== 'swap')).toEqual([]);
    } finally {
      session.dispose();
      disk.dispose();
    }
  });
});
