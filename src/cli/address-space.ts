import type { Result } from '../base/result.ts';
import { err, ExitCode, ok } from '../base/result.ts';

declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => unknown;
  readonly Instance: new (module: unknown) => unknown;
};

/** Magic, version, and a section with one memory of a page. */
const WITH_MEMORY = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 5, 3, 1, 0, 1);

/**
 * The screen's layout is computed in WebAssembly, for which Node reserves gigabytes of addresses (no
 * memory): under `ulimit -v` that fails somewhere inside a library, which says so in its own words.
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
