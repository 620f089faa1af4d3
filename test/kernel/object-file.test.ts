import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findObject, readObject } from '../../src/kernel/attach/object-file.ts';

it('the kernel programs are those that this version was built with', () => {
  const image = readObject(findObject());
  expect(image.ok && image.value.equals(readFileSync('bpf/ioheat.bpf.o'))).toBe(true);
});

it('kernel programs of another version are refused, and the error says what to run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ioheat-object-'));
  const path = join(folder, 'ioheat.bpf.o');
  const changed = readFileSync('bpf/ioheat.bpf.o');
  changed[changed.length >> 1]! ^= 1;
  writeFileSync(path, changed);
  const refused = readObject(path);
  rmSync(folder, { recursive: true });
  expect(refused).toEqual({
    ok: false,
    error: {
      exitCode: 1,
      what: 'the kernel programs are of another version',
      why: 'bpf/ioheat.bpf.o is not the file that this ioheat was built with',
      remedy: 'run npm ci in a clone, or install ioheat again',
    },
  });
});

it('missing kernel programs are an error that says so', () => {
  const missing = readObject('/nowhere/ioheat.bpf.o');
  expect(missing).toMatchObject({ ok: false, error: { what: 'the kernel programs are missing' } });
});
