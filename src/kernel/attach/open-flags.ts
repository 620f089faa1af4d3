import type { OpenFlag } from '../../model/open-flags.ts';
import { OPEN_FLAGS } from '../../model/open-flags.ts';

/** Flags of `asm-generic/fcntl.h`, as on x64. O_SYNC and O_TMPFILE are here with the bit that no other flag has. */
const GENERIC: Readonly<Record<OpenFlag, number>> = {
  O_WRONLY: 0o1,
  O_RDWR: 0o2,
  O_CREAT: 0o100,
  O_EXCL: 0o200,
  O_TRUNC: 0o1000,
  O_APPEND: 0o2000,
  O_DSYNC: 0o10000,
  O_SYNC: 0o4000000,
  O_DIRECT: 0o40000,
  O_DIRECTORY: 0o200000,
  O_NOFOLLOW: 0o400000,
  O_PATH: 0o10000000,
  O_TMPFILE: 0o20000000,
};

/** Flags of `asm/fcntl.h` on arm64. */
const ARM64: typeof GENERIC = {
  ...GENERIC,
  O_DIRECTORY: 0o40000,
  O_NOFOLLOW: 0o100000,
  O_DIRECT: 0o200000,
};

function flagsOf(architecture: string): typeof GENERIC {
  return architecture === 'arm64' ? ARM64 : GENERIC;
}

/** The value of `Target.openFlags`: numbers of bits, in the order of `OPEN_FLAGS`. */
export function openFlagTable(architecture: string): Uint32Array {
  const flags = flagsOf(architecture);
  return Uint32Array.from(OPEN_FLAGS, (name) => Math.log2(flags[name]));
}

/** The value of `Target.creatFlags`: the flags that creat() implies. */
export function creatFlags(architecture: string): number {
  const { O_CREAT, O_WRONLY, O_TRUNC } = flagsOf(architecture);
  return O_CREAT | O_WRONLY | O_TRUNC;
}
