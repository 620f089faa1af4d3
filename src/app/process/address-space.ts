import type { Result } from '../../base/result.ts';
import { err, ExitCode, ok } from '../../base/result.ts';

declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => unknown;
  readonly Instance: new (module: unknown) => unknown;
};

/**Magic, version, and a section that declares one memory of one page. */
const WITH_MEMORY = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 5, 3, 1, 0, 1);

/**
 * Dialogs are laid out in WebAssembly, for which Node reserves gigabytes of address space (not of
 * memory). Under `ulimit -v` that fails inside a library, with a message that explains nothing.
 */
export function checkAddressSpace(): Result<undefined> {
  try {
    new WebAssembly.Instance(new WebAssembly.Module(WITH_MEMORY));
    return ok(undefined);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    return err({
      exitCode: ExitCode.failed,
      what: 'ioheat cannot be loaded',
      why: 'the address space is limited to less than Node reserves for WebAssembly',
      remedy: 'lift the limit: ulimit -v unlimited',
    });
  }
}
