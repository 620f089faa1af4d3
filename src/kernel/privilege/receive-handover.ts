import { readdirSync, readFileSync } from 'node:fs';
import { codeOf } from '../../base/system-error.ts';
import { jsonIfValid } from '../../base/json-if-valid.ts';
import { err, ExitCode, ok, type IoheatError, type Result } from '../../base/result.ts';
import { parseThreadRights, type ThreadRights } from './capabilities.ts';
import type { DropPlan } from './drop-plan.ts';

/*
 * The part of the handover that stage 2 runs. It does not load the native module, which half of the commands do not
 * need in stage 2.
 */
export const HANDOVER_VARIABLE = 'IOHEAT_HANDOVER';

export type UnprivilegedPlan = Exclude<DropPlan, { kind: 'stay-root' }>;

/** The contents of the variable, as JSON. */
export interface Envelope {
  /** exec keeps the pid; another one means that a child inherited the variable. */
  readonly pid: number;
  readonly kind: UnprivilegedPlan['kind'];
  readonly uid: number;
  readonly gid: number;
  readonly boundingDropped: boolean;
  readonly fds: readonly number[];
  readonly payload: unknown;
}

export interface Handover {
  readonly kind: UnprivilegedPlan['kind'];
  /** Children of the program inherit them, unless `keepFromChildren` is called. */
  readonly fds: readonly number[];
  /** As passed to `handOver`; the caller checks its shape. */
  readonly payload: unknown;
}

export function cannotDrop(why: string, remedy?: string): IoheatError {
  const what = 'cannot drop root privileges';
  return { exitCode: ExitCode.failed, what, why, ...(remedy !== undefined && { remedy }) };
}

export function cannotReadRights(): IoheatError {
  return cannotDrop('cannot read /proc/self/status', 'mount /proc: mount -t proc proc /proc');
}

/** The first call of stage 2; `undefined` in stage 1. Fails unless every thread of this process is unprivileged. */
export function receiveHandover(): Result<Handover | undefined> {
  const text = process.env[HANDOVER_VARIABLE];
  if (text === undefined) return ok(undefined);
  // Children of this program must not mistake it for their own.
  Reflect.deleteProperty(process.env, HANDOVER_VARIABLE);
  const envelope = parseEnvelope(text);
  if (envelope?.pid !== process.pid) {
    return err({
      exitCode: ExitCode.failed,
      what: `the environment variable ${HANDOVER_VARIABLE} is not this process's own`,
      remedy: `unset ${HANDOVER_VARIABLE}`,
    });
  }
  const privilege = findPrivilege({ ...envelope, isExecuted: true });
  if (privilege !== undefined) return err(cannotDrop(privilege));
  return ok({ kind: envelope.kind, fds: envelope.fds, payload: envelope.payload });
}

function parseEnvelope(text: string): Envelope | undefined {
  const value = jsonIfValid(text);
  return isEnvelope(value) ? value : undefined;
}

function isEnvelope(value: unknown): value is Envelope {
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Record<string, unknown>;
  const { pid, kind, uid, gid, boundingDropped, fds } = record;
  return (
    [pid, uid, gid].every(Number.isInteger) &&
    (kind === 'sudo-user' || kind === 'bare-root' || kind === 'own-user') &&
    typeof boundingDropped === 'boolean' &&
    Array.isArray(fds) &&
    fds.every((fd) => Number.isInteger(fd) && (fd as number) > 2)
  );
}

/** What must be true of every thread. */
export interface ExpectedRights {
  readonly uid: number;
  readonly gid: number;
  /** All threads descend from one thread by exec, so settings of a single thread apply to all of them. */
  readonly isExecuted: boolean;
  readonly boundingDropped?: boolean;
}

/** A privilege that some thread still has; `undefined` is the invariant of stage 2. */
export function findPrivilege(expected: ExpectedRights): string | undefined {
  for (const tid of readdirSync('/proc/self/task')) {
    const status = readStatus(tid);
    if (status === undefined) continue;
    const rights = parseThreadRights(status);
    const privilege = rights === undefined ? 'cannot be checked' : privilegeOf(rights, expected);
    if (privilege !== undefined) return `thread ${tid} ${privilege}`;
  }
  return undefined;
}

/** The status of a thread; undefined if it has ended since it was listed. */
function readStatus(tid: string): string | undefined {
  try {
    return readFileSync(`/proc/self/task/${tid}/status`, 'utf8');
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw cause;
  }
}

/** A privilege that a thread has; undefined for none. Pure, so that tests can check that each privilege is detected. */
export function privilegeOf(rights: ThreadRights, expected: ExpectedRights): string | undefined {
  const { isExecuted, boundingDropped = false } = expected;
  if (isExecuted && !rights.noNewPrivs) return 'may gain privileges by exec';
  if (rights.uids.some((uid) => uid !== expected.uid)) return `is user ${rights.uids.join()}`;
  if (rights.gids.some((gid) => gid !== expected.gid)) return `is of group ${rights.gids.join()}`;
  const sets = {
    effective: rights.effective,
    permitted: rights.permitted,
    inheritable: rights.inheritable,
    ambient: rights.ambient,
    ...(isExecuted && boundingDropped ? { bounding: rights.bounding } : {}),
  };
  for (const [name, set] of Object.entries(sets)) {
    if (set !== 0n) return `has ${name} capabilities ${set.toString(16)}`;
  }
  return undefined;
}
