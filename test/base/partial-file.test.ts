import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { partOf, publishPart, removePart } from '../../src/base/partial-file.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ioheat-part-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('a file that is being written', () => {
  test('a file that is being written has another name until it is complete', () => {
    const path = join(folder, 'io.csv');
    const part = partOf(path);
    expect(part).toEqual({ ok: true, value: `${path}.part` });
    writeFileSync(`${path}.part`, 'whole');
    expect(publishPart(`${path}.part`, path).ok).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe('whole');
    expect(existsSync(`${path}.part`)).toBe(false);
  });

  test('a partial file that cannot be removed, as on a disk that has become read-only, stays', () => {
    const notThere = join(folder, 'moved', 'io.csv.part');
    expect(() => {
      removePart(notThere);
    }).not.toThrow();
  });

  test('a partial file that was left behind is neither in the way nor replaced, unless that is asked for', () => {
    const path = join(folder, 'io.csv');
    writeFileSync(`${path}.part`, 'left by a power failure');
    symlinkSync('nowhere', `${path}.part2`);
    expect(partOf(path)).toEqual({ ok: true, value: `${path}.part3` });
    expect(partOf(path, { force: true })).toEqual({ ok: true, value: `${path}.part` });
  });

  test('a partial file is not created where a file or a dangling symlink has its name', () => {
    symlinkSync('nowhere', join(folder, 'link.csv'));
    const part = partOf(join(folder, 'link.csv'));
    expect(part.ok).toBe(false);
    expect(part.ok ? '' : part.error.why).toBe('file exists');
  });

  test('a partial file is not created for a name that no file can have, and the reason is told', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const names = [join(file, 'io.csv'), join(folder, 'x'.repeat(300))];
    const reasons = names
      .map((name) => partOf(name))
      .map((part) => (part.ok ? undefined : part.error.why));
    expect(reasons).toEqual(['not a directory', 'name too long']);
  });

  test('a partial file never replaces a file that took its final name meanwhile, and keeps its own name', () => {
    const path = join(folder, 'io.csv');
    writeFileSync(`${path}.part`, 'whole');
    writeFileSync(path, 'other');
    const published = publishPart(`${path}.part`, path);
    expect(published.ok ? undefined : published.error.remedy).toContain('io.csv.part');
    expect(readFileSync(path, 'utf8')).toBe('other');
    expect(readFileSync(`${path}.part`, 'utf8')).toBe('whole');
  });
});
