import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callOf } from '../../src/model/call.ts';
import { UNKNOWN_DEVICE } from '../../src/model/device.ts';
import { DEFAULT_LAYER, layerOf } from '../../src/model/layer.ts';
import type { Layer } from '../../src/model/layer.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { needs } from '../needs.ts';
import { inside } from './fixtures/mounted.ts';
import { TraceSession } from './fixtures/trace-session.ts';

/** A container's root: a file of the image is in `image` alone until something writes to it. */
const MOUNT = `
  mkdir -p image upper work root; cp /bin/sh image/sh; sync
  mount -t overlay overlay -o lowerdir=image,upperdir=upper,workdir=work root`;

describe('waits and calls on overlayfs', needs('tracing'), () => {
  let session: TraceSession;
  let disk: LoopDevice;
  beforeEach(() => {
    disk = LoopDevice.create({ bytes: 64 << 20 });
    execFileSync('mkfs.ext4', ['-q', disk.path]);
    session = TraceSession.open({ waits: true, calls: true });
  });
  afterEach(() => {
    session.dispose();
    disk.dispose();
  });

  /** Runs dd; returns the disk and file of all that it did in a layer with a file of this name, without repetition. */
  function run(dd: string, name: string): (layer: Layer) => string[] {
    inside(disk.path, `${MOUNT}; dd ${dd} 2>&1`);
    const seen = session
      .takeAll()
      .filter(({ key, file }) => key.comm === 'dd' && file.path?.includes(`/${name} of `) === true)
      .filter(({ key }) => [undefined, 'read', 'write'].includes(callOf(key)));
    return (layer) => {
      const own = seen.filter(({ key }) => layerOf(key) === layer);
      return [...new Set(own.map(({ key, file }) => `${key.dev} ${file.dev} ${file.inode}`))];
    };
  }

  it('waits and calls on overlayfs have the disk and the file of the I/O for them', () => {
    const of = run('if=/dev/zero of=root/new bs=4k count=10 oflag=dsync', 'new');
    const places = of(DEFAULT_LAYER);
    expect(places).toEqual([expect.stringMatching(new RegExp(`^${disk.dev} ${disk.dev} `))]);
    expect([of('waits'), of('calls')]).toEqual([places, places]);
  });

  it('calls on overlayfs have no disk where the file is only in the image', () => {
    const [place] = run('if=root/sh of=/dev/null', 'sh')('calls');
    expect(place).toMatch(new RegExp(`^${UNKNOWN_DEVICE} `));
  });
});
