import { describe, expect, it } from 'vitest';
import { decodePath } from '../../src/kernel/machine/decode-path.ts';
import { MountPaths } from '../../src/kernel/live/mount-paths.ts';
import type { Mount } from '../../src/kernel/machine/mounts.ts';

const ROOT: Mount = { dev: 1, point: '/', root: '/', kind: 'ext4', source: '/dev/vda1' };
const HOME: Mount = { ...ROOT, dev: 2, point: '/home' };

describe('the path of a file', () => {
  it('the path of a file is the mount point and the path in the file system', () => {
    const paths = new MountPaths(
      () => 0,
      () => [ROOT, HOME],
    );
    expect(paths.pathOf(1, '/etc/fstab')).toBe('/etc/fstab');
    expect(paths.pathOf(2, '/ann/mail')).toBe('/home/ann/mail');
    expect(paths.pathOf(1, '/')).toBe('/');
    expect([paths.isMounted(2), paths.isMounted(3)]).toEqual([true, false]);
  });

  it('the path of a file is found below a folder that is mounted, as of a subvolume', () => {
    const volumes = [
      { ...ROOT, root: '/@' },
      { ...HOME, dev: 1, root: '/@home' },
    ];
    const paths = new MountPaths(
      () => 0,
      () => volumes,
    );
    expect(paths.pathOf(1, '/@/etc/fstab')).toBe('/etc/fstab');
    expect(paths.pathOf(1, '/@home/ann')).toBe('/home/ann');
    expect(paths.pathOf(1, '/@home2/ann')).toBe('/@home2/ann of 0:1');
  });

  it('the path of a file is preferably that below the root of the file system', () => {
    const bound = { ...HOME, point: '/srv/bound', root: '/ann' };
    const paths = new MountPaths(
      () => 0,
      () => [bound, HOME],
    );
    expect(paths.pathOf(2, '/ann/mail')).toBe('/home/ann/mail');
  });

  it('the path of a file names the file system where it is not mounted here', () => {
    const paths = new MountPaths(
      () => 0,
      () => [ROOT],
    );
    expect(paths.pathOf((8 << 20) + 3, '/data')).toBe('/data of 8:3');
  });

  it('the path of a file is right for what was mounted a moment ago', () => {
    let mounts = [ROOT];
    let readings = 0;
    const paths = new MountPaths(
      () => 0,
      () => {
        readings++;
        return mounts;
      },
    );
    expect(paths.pathOf(1, '/a')).toBe('/a');
    mounts = [ROOT, HOME];
    expect(paths.pathOf(2, '/b')).toBe('/home/b');
    expect(readings).toBe(2);
    paths.pathOf(3, '/c');
    paths.pathOf(3, '/d');
    expect(readings).toBe(3);
  });

  const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

  it('the path of a file is read from its names, the last one first', () => {
    expect(decodePath(bytes('fstab\0etc\0'), false)).toBe('/etc/fstab');
    expect(decodePath(bytes('d\0c\0'), true)).toBe('/…/c/d');
    expect(decodePath(bytes(''), false)).toBe('/');
  });

  it.each([
    ['caf\xe9', String.raw`caf\351`],
    ['caf\xc3\xa9', 'café'],
    ['\xc3\xa9\xe9\xf0\x9f\x98\x80\xf0\x9f', String.raw`é\351😀\360\237`],
    [String.raw`caf\351`, String.raw`caf\\351`],
    [String.raw`caf\\351`, String.raw`caf\\\\351`],
    [String.raw`a\b`, String.raw`a\b`],
    ['a\\b\xff', String.raw`a\\b\377`],
    ['\xed\xa0\x80', String.raw`\355\240\200`],
  ])(
    'a name that is not UTF-8 has its bytes as ls -b does, and no two names become one: %j',
    (name, text) => {
      expect(decodePath(bytes(`${name}\0d\0`), false)).toBe(`/d/${text}`);
    },
  );
});
