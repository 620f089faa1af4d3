import {
  closeSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFile } from '../../src/base/create-file.ts';
import type { CreateOptions } from '../../src/base/create-file.ts';
import { formatError } from '../../src/base/result.ts';

describe('createFile', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'create-file-'));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  function write(path: string, text: string, options: CreateOptions = {}): string {
    const created = createFile(path, options);
    if (!created.ok) return formatError(created.error);
    writeSync(created.value, text);
    closeSync(created.value);
    return 'written';
  }

  it('createFile makes a file that only its owner can read', () => {
    const path = join(folder, 'new');
    expect(write(path, 'text')).toBe('written');
    expect(readFileSync(path, 'utf8')).toBe('text');
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
  });

  it('createFile does not touch an existing file, and says what to do', () => {
    const path = join(folder, 'old');
    writeFileSync(path, 'old');
    expect(write(path, 'new')).toBe(
      `cannot create ${path}: file exists; name another file, or remove this one`,
    );
    expect(write(path, 'new', { force: false })).toBe(
      `cannot create ${path}: file exists; replace it with --force, or name another file`,
    );
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  it('createFile says that a directory is one, and does not speak of replacing it', () => {
    expect(write(folder, 'new', { force: false })).toBe(
      `cannot create ${folder}: it is a directory; name a file in it`,
    );
  });

  it('createFile replaces an ordinary file when asked to', () => {
    const path = join(folder, 'old');
    writeFileSync(path, 'old', { mode: 0o644 });
    expect(write(path, 'new', { force: true })).toBe('written');
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
  });

  it('createFile never writes through a symlink, not even when replacing, nor to the target of a dangling one', () => {
    const [target, link, dangling] = ['target', 'link', 'dangling'].map((n) => join(folder, n)) as [
      string,
      string,
      string,
    ];
    writeFileSync(target, 'kept');
    symlinkSync(target, link);
    symlinkSync(join(folder, 'nowhere'), dangling);
    expect(write(link, 'new')).toContain('file exists');
    expect(write(link, 'new', { force: false })).toMatch(/file exists; name another file$/);
    expect(write(link, 'new', { force: true })).toContain('not a regular file');
    expect(write(dangling, 'new')).toContain('file exists');
    expect(readFileSync(target, 'utf8')).toBe('kept');
    expect(lstatSync(join(folder, 'nowhere'), { throwIfNoEntry: false })).toBeUndefined();
  });

  it.each([false, true])(
    'createFile names - where /dev/stdout is meant (with force: %s)',
    (force) => {
      expect(write('/dev/stdout', 'new', { force })).toMatch(/; use - for standard output$/);
    },
  );

  it('createFile says why a file cannot be created', () => {
    mkdirSync(join(folder, 'folder'));
    expect(write(join(folder, 'folder'), '', { force: true })).toContain('not a regular file');
    expect(write(join(folder, 'missing', 'file'), '')).toBe(
      `cannot create ${join(folder, 'missing', 'file')}: no such file or directory`,
    );
  });

  it.each([false, true])(
    'createFile says why no file can have a name (with force: %s)',
    (force) => {
      const [file, loop] = [join(folder, 'file'), join(folder, 'loop')];
      writeFileSync(file, '');
      symlinkSync(loop, loop);
      const why = (path: string): string => write(path, '', { force });
      expect(why(join(file, 'below'))).toBe(
        `cannot create ${join(file, 'below')}: not a directory`,
      );
      expect(why(join(folder, 'x'.repeat(300)))).toMatch(/x: name too long$/);
      expect(why(join(loop, 'below'))).toMatch(/: too many symbolic links encountered$/);
    },
  );

  it('a created file belongs to the user who runs ioheat, whatever SUDO_UID says', () => {
    const path = join(folder, 'owned');
    vi.stubEnv('SUDO_UID', '1234').stubEnv('SUDO_GID', '2345');
    expect(write(path, '')).toBe('written');
    expect(lstatSync(path)).toMatchObject({
      uid: process.geteuid?.(),
      gid: process.getegid?.(),
    });
  });
});
