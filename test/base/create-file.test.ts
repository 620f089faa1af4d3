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

  it('makes a file that only its owner can read', () => {
    const path = join(folder, 'new');
    expect(write(path, 'text')).toBe('written');
    expect(readFileSync(path, 'utf8')).toBe('text');
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
  });

  it('leaves a file that exists alone, and says what to do', () => {
    const path = join(folder, 'old');
    writeFileSync(path, 'old');
    expect(write(path, 'new')).toBe(
      `cannot create ${path}: there is something of that name; name another file, or remove this one`,
    );
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  it('replaces an ordinary file when told to', () => {
    const path = join(folder, 'old');
    writeFileSync(path, 'old', { mode: 0o644 });
    expect(write(path, 'new', { force: true })).toBe('written');
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
  });

  it('never writes through a link, not even by force, nor to where a dangling one points', () => {
    const [target, link, dangling] = ['target', 'link', 'dangling'].map((n) => join(folder, n)) as [
      string,
      string,
      string,
    ];
    writeFileSync(target, 'kept');
    symlinkSync(target, link);
    symlinkSync(join(folder, 'nowhere'), dangling);
    expect(write(link, 'new')).toContain('there is something of that name');
    expect(write(link, 'new', { force: true })).toContain('no ordinary file');
    expect(write(dangling, 'new')).toContain('there is something of that name');
    expect(readFileSync(target, 'utf8')).toBe('kept');
    expect(lstatSync(join(folder, 'nowhere'), { throwIfNoEntry: false })).toBeUndefined();
  });

  it('says why a file cannot be made', () => {
    mkdirSync(join(folder, 'folder'));
    expect(write(join(folder, 'folder'), '', { force: true })).toContain('no ordinary file');
    expect(write(join(folder, 'missing', 'file'), '')).toContain('ENOENT');
  });

  it('belongs to who writes it, whatever the environment says of a caller', () => {
    const path = join(folder, 'owned');
    vi.stubEnv('SUDO_UID', '1234').stubEnv('SUDO_GID', '2345');
    expect(write(path, '')).toBe('written');
    expect(lstatSync(path)).toMatchObject({
      uid: process.geteuid?.(),
      gid: process.getegid?.(),
    });
  });
});
