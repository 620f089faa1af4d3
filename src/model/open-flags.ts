import { callOf, type Call, type CallIdentity } from './call.ts';

/**
 * The flags with which a file was opened that matter for reads and writes. They are stored in `Identity.cmdFlags` of
 * the call from `OPEN_FLAG_SHIFT` on, one bit each, where requests have their flags.
 */
export const OPEN_FLAGS = [
  'O_WRONLY',
  'O_RDWR',
  'O_CREAT',
  'O_EXCL',
  'O_TRUNC',
  'O_APPEND',
  'O_DSYNC',
  'O_SYNC',
  'O_DIRECT',
  'O_DIRECTORY',
  'O_NOFOLLOW',
  'O_PATH',
  'O_TMPFILE',
] as const;
export type OpenFlag = (typeof OPEN_FLAGS)[number];

export const OPEN_FLAG_SHIFT = 8;

/** The access mode of a call without one of the first two flags. */
export const READ_ONLY = 'O_RDONLY';

/** Pairs of flags of which the second includes the bit of the first. */
const PARTS: readonly (readonly [OpenFlag, OpenFlag])[] = [
  ['O_DSYNC', 'O_SYNC'],
  ['O_DIRECTORY', 'O_TMPFILE'],
];

const OPENING: readonly Call[] = [
  'open',
  'openat',
  'openat2',
  'creat',
  'uring-openat',
  'uring-openat2',
];

/** The flags of a call that opens a file; undefined for other calls, and where calls were counted together. */
export function openFlagsOf(identity: CallIdentity): readonly string[] | undefined {
  const call = callOf(identity);
  if (identity.layer !== 'calls' || call === undefined || !OPENING.includes(call)) return undefined;
  const has = (name: OpenFlag): boolean =>
    ((identity.cmdFlags >>> (OPEN_FLAG_SHIFT + OPEN_FLAGS.indexOf(name))) & 1) === 1;
  const flags = OPEN_FLAGS.filter(
    (name) => has(name) && !PARTS.some((one) => one[0] === name && has(one[1])),
  );
  return flags[0] === 'O_WRONLY' || flags[0] === 'O_RDWR' ? flags : [READ_ONLY, ...flags];
}

/** Bits of `Identity.cmdFlags` for `O_WRONLY|O_CREAT`. */
export function parseOpenFlags(text: string): number {
  const names = text.split(/[| ]/);
  return OPEN_FLAGS.reduce(
    (bits, name, bit) => (names.includes(name) ? bits | (1 << (OPEN_FLAG_SHIFT + bit)) : bits),
    0,
  );
}
