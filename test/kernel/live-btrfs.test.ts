import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callOf } from '../../src/model/call.ts';
import { UNKNOWN_DEVICE } from '../../src/model/device.ts';
import { layerOf, type Layer } from '../../src/model/layer.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { needs } from '../needs.ts';
import { inside } from './fixtures/mounted.ts';
import { TraceSession } from './fixtures/trace-session.ts';

const BYTES = 256 << 20;
const WRITE = 'dd if=/dev/zero of=file bs=4k count=10 oflag=dsync 2>&1';

describe('waits and calls on btrfs', needs('tracing'), () => {
  let session: TraceSession;
  const disks: LoopDevice[] = [];
  beforeEach(() => {
    session = TraceSession.open({ waits: true, calls: true });
  });
  afterEach(() => {
    session.dispose();
    for (const disk of disks.splice(0)) disk.dispose();
  });

  function attach(): LoopDevice {
    const disk = LoopDevice.create({ bytes: BYTES });
    disks.push(disk);
    return disk;
  }

  /** The disks of the writes of dd to its file, without repetition. */
  function devsOfWrites(layer: Layer): number[] {
    const writes = session
      .takeAll()
      .filter(
        ({ key, file }) =>
          layerOf(key) === layer && callOf(key) === 'write' && file.path?.startsWith('/file'),
      );
    return [...new Set(writes.map(({ key }) => key.dev))];
  }

  for (const layer of ['waits', 'calls'] as const) {
    it(`${layer} are of its disk, so that a filter on it has them`, () => {
      const disk = attach();
      execFileSync('mkfs.btrfs', ['-q', disk.path]);
      session.focus(disk.dev);
      inside(disk.path, WRITE);
      expect(devsOfWrites(layer)).toEqual([disk.dev]);
    });

    it(`${layer} are of no disk where it is on several`, () => {
      const paths = [attach(), attach()].map(({ path }) => path);
      execFileSync('mkfs.btrfs', ['-q', '-d', 'raid0', ...paths]);
      inside(paths[0]!, WRITE);
      expect(devsOfWrites(layer)).toEqual([UNKNOWN_DEVICE]);
    });
  }
});
