import { readFileSync, readlinkSync } from 'node:fs';
import { isSystemError } from '../../base/system-error.ts';

/** Bit numbers of `linux/capability.h`. */
export const Capability = { setPcap: 8, sysAdmin: 21, perfmon: 38, bpf: 39 } as const;

/** The lines of `/proc/PID/status` that show a thread's privileges. */
export interface ThreadRights {
  /** Real, effective, saved and file-system ids. */
  readonly uids: readonly number[];
  readonly gids: readonly number[];
  readonly inheritable: bigint;
  readonly permitted: bigint;
  readonly effective: bigint;
  readonly bounding: bigint;
  readonly ambient: bigint;
  readonly noNewPrivs: boolean;
  /** 0 off, 1 strict, 2 filter; absent where the kernel has no seccomp. */
  readonly seccomp: number | undefined;
}

/** Undefined when a field is missing: what cannot be read must never count as "unprivileged". */
export function parseThreadRights(status: string): ThreadRights | undefined {
  const fields = parseFields(status);
  const inheritable = parseHex(fields.get('CapInh'));
  const permitted = parseHex(fields.get('CapPrm'));
  const effective = parseHex(fields.get('CapEff'));
  const bounding = parseHex(fields.get('CapBnd'));
  const ambient = parseHex(fields.get('CapAmb'));
  const uids = parseIds(fields.get('Uid'));
  const gids = parseIds(fields.get('Gid'));
  const noNewPrivs = fields.get('NoNewPrivs');
  if (!uids || !gids || noNewPrivs === undefined) return undefined;
  if (inheritable === undefined || permitted === undefined || effective === undefined) {
    return undefined;
  }
  if (bounding === undefined || ambient === undefined) return undefined;
  const sets = { inheritable, permitted, effective, bounding, ambient };
  const seccomp = fields.has('Seccomp') ? Number(fields.get('Seccomp')) : undefined;
  return { uids, gids, ...sets, noNewPrivs: noNewPrivs === '1', seccomp };
}

function parseFields(status: string): ReadonlyMap<string, string> {
  return new Map(
    status.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
}

function parseHex(text: string | undefined): bigint | undefined {
  return text !== undefined && /^[0-9a-f]{1,16}$/.test(text) ? BigInt(`0x${text}`) : undefined;
}

function parseIds(text: string | undefined): number[] | undefined {
  const ids = text?.split(/\s+/).map(Number);
  return ids?.length === 4 && ids.every(Number.isInteger) ? ids : undefined;
}

export function hasCapability(set: bigint, bit: number): boolean {
  return ((set >> BigInt(bit)) & 1n) === 1n;
}

/** CAP_BPF allows creating maps, CAP_PERFMON allows programs to read the kernel; CAP_SYS_ADMIN includes both. */
export function grantsTracing(effective: bigint): boolean {
  if (hasCapability(effective, Capability.sysAdmin)) return true;
  return hasCapability(effective, Capability.bpf) && hasCapability(effective, Capability.perfmon);
}

/** Inode numbers that the kernel reserves for the first namespaces (`linux/proc_ns.h`). */
const INITIAL_NAMESPACE = { user: '4026531837', pid: '4026531836' } as const;

/** Whether this process is in the machine's own namespace; undefined when that cannot be read. */
export function inInitialNamespace(
  kind: keyof typeof INITIAL_NAMESPACE,
  readLink: (path: string) => string | undefined = tryReadLink,
): boolean | undefined {
  const target = readLink(`/proc/self/ns/${kind}`);
  return target === undefined ? undefined : target === `${kind}:[${INITIAL_NAMESPACE[kind]}]`;
}

function tryReadLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (cause) {
    if (isSystemError(cause)) return undefined;
    throw cause;
  }
}

/** Undefined if they cannot be read, as where /proc is not mounted. */
export function ownRights(): ThreadRights | undefined {
  try {
    return parseThreadRights(readFileSync('/proc/self/status', 'utf8'));
  } catch (cause) {
    if (isSystemError(cause)) return undefined;
    throw cause;
  }
}

/**
 * Whether this process may load and attach tracing programs, as far as that is known in advance. Capabilities in a
 * user namespace look the same but do not count here.
 */
export function canTrace(
  rights: ThreadRights | undefined = ownRights(),
  inInitialUserNamespace: boolean | undefined = inInitialNamespace('user'),
): boolean {
  return (
    rights !== undefined && grantsTracing(rights.effective) && inInitialUserNamespace !== false
  );
}
