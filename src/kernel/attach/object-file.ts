import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { err, ExitCode, ok, type IoheatError, type Result } from '../../base/result.ts';
import { isSystemError } from '../../base/system-error.ts';
import { OBJECT_CRC32 } from '../abi/layout.ts';

/** Searches this directory and its parents, so that the object is found from the sources and from the bundle. */
export function findObject(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const path = join(folder, 'bpf/ioheat.bpf.o');
    if (existsSync(path) || folder === dirname(folder)) return path;
    folder = dirname(folder);
  }
}

/** Fails for an object that this program was not built with: what it counts would be read at the wrong places. */
export function readObject(path: string): Result<Buffer> {
  try {
    const image = readFileSync(path);
    return crc32(image) === OBJECT_CRC32 ? ok(image) : err(otherVersion());
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    return err({
      exitCode: ExitCode.failed,
      what: 'the kernel programs are missing',
      why: cause.message,
      remedy: 'install ioheat again',
    });
  }
}

function otherVersion(): IoheatError {
  return {
    exitCode: ExitCode.failed,
    what: 'the kernel programs are of another version',
    why: 'bpf/ioheat.bpf.o is not the file that this ioheat was built with',
    remedy: 'run npm ci in a clone, or install ioheat again',
  };
}
