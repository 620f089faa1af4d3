import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTarget } from '../../src/paint/target.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { needs } from '../needs.ts';
import { must } from '../must.ts';

const MIB = 1 << 20;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ioheat-target-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('the target of a painting', () => {
  it('a file that was created for a painting is gone however the painting ends', () => {
    const path = join(folder, 'new');
    const opened = must(openTarget({ path, writes: false, newBytes: 2 * MIB }));
    expect(existsSync(path)).toBe(false);
    expect(opened.canvas.bytes).toBe(2 * MIB);
    opened.dispose();
  });
});

describe('a target in the file system', needs('tracing'), () => {
  it('a disk is as large as itself, not as the disk that its file is named after', () => {
    const [small, large] = [2 * MIB, 8 * MIB].map((bytes) => LoopDevice.create({ bytes }));
    try {
      const path = join(folder, large!.path.replace('/dev/', ''));
      const { rdev } = statSync(small!.path);
      execFileSync('mknod', [path, 'b', String((rdev >> 8) & 0xfff), String(rdev & 0xff)]);
      const opened = must(openTarget({ path, writes: false, newBytes: MIB }));
      expect(opened.canvas.bytes).toBe(2 * MIB);
      opened.dispose();
    } finally {
      small!.dispose();
      large!.dispose();
    }
  });

  it('a file for which there is too little space is refused, even if only its last write is cut', () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3500k', 'tmpfs', folder]);
    try {
      const opened = openTarget({ path: join(folder, 'new'), writes: false, newBytes: 4 * MIB });
      expect(opened).toMatchObject({ ok: false, error: { why: 'the disk is full' } });
      // What was written is free again.
      writeFileSync(join(folder, 'other'), Buffer.alloc(3 * MIB));
    } finally {
      execFileSync('umount', [folder]);
    }
  });
});
