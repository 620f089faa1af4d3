import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { err, ExitCode, ok, type IoheatError, type Result } from '../../base/result.ts';
import { ownRights, parseThreadRights, type ThreadRights } from './capabilities.ts';
import { environmentChanges, type DropPlan } from './drop-plan.ts';
import { ownStart, type ProgramStart } from './explain.ts';
import { giveUpPower } from './give-up-power.ts';
import { execv, formatSyscallError, hasFileCapabilities, setCloseOnExec } from './syscalls.ts';

/*
 * The live program runs in two stages of one process.
 *
 * Stage 1 has the power to trace: it loads, attaches, and holds file descriptors of the rings and maps.
 * It then gives up that power and executes node again with the same arguments; stage 2 finds the
 * descriptors open and is the program on screen. It is an exec and no mere `setuid`, because Linux keeps
 * capabilities per thread: V8's workers and libuv's pool would keep theirs, and libuv hands them file
 * work. `execve` ends every thread but the caller, so all of stage 2 descends from a powerless one.
 *
 * The numbers travel in an environment variable, not in an inherited memfd: they are a few hundred
 * bytes, hold nothing secret, need no descriptor to be found and closed, and a forged variable gains
 * nothing, because stage 2 refuses to go on unless the kernel confirms that it is powerless.
 */
const VARIABLE = 'IOHEAT_HANDOVER';
/** MAX_ARG_STRLEN: one string of argv or environ. */
const MAX_VARIABLE_BYTES = 131_072;

/** Node marks what it inherits, these three included, to close on exec (`uv_disable_stdio_inheritance`). */
const STANDARD_FDS = [0, 1, 2];

type PowerlessPlan = Exclude<DropPlan, { kind: 'stay-root' }>;

interface Envelope {
  /** exec keeps the pid; another one means that the variable strayed into a child. */
  readonly pid: number;
  readonly kind: PowerlessPlan['kind'];
  readonly uid: number;
  readonly gid: number;
  readonly boundingDropped: boolean;
  readonly fds: readonly number[];
  readonly payload: unknown;
}

export interface HandoverRequest {
  readonly plan: PowerlessPlan;
  /** Descriptors that stay open; all others that Node, libbpf and the kernel opened close by themselves. */
  readonly fds: readonly number[];
  /** JSON for stage 2: what the numbers mean. */
  readonly payload: unknown;
  readonly start?: ProgramStart;
}

export interface Handover {
  readonly kind: PowerlessPlan['kind'];
  readonly fds: readonly number[];
  /** As given to `handOver`; to be checked by whoever knows its shape. */
  readonly payload: unknown;
}

/**
 * Stage 1's last act: does not return when it works. After an error this thread may already be
 * powerless and others not, so the caller prints it and exits. Must come before anything reads
 * standard input or changes the terminal: exec runs no exit handler.
 *
 * sudo gives the program a terminal that belongs to root. Stage 2 cannot open it by its name again, as
 * libuv does to write without blocking; `/dev/tty` can be opened by anybody whose terminal it is.
 */
export function handOver(request: HandoverRequest): Result<never> {
  const { plan, fds, payload, start = ownStart() } = request;
  const before = ownRights();
  if (before === undefined) return err(failed('/proc/self/status cannot be understood'));
  const keepBounding = hasFileCapabilities(start.execPath);
  for (const fd of [...STANDARD_FDS, ...fds]) {
    const kept = setCloseOnExec(fd, false);
    if (!kept.ok) return err(failed(formatSyscallError(kept.error)));
  }
  const dropped = giveUpPower({ plan, effective: before.effective, keepBounding });
  if (!dropped.ok) return err(failed(formatSyscallError(dropped.error)));
  const reachable = checkReachable(start);
  if (!reachable.ok) return reachable;
  const envelope: Envelope = {
    pid: process.pid,
    kind: plan.kind,
    uid: plan.kind === 'sudo-user' ? plan.uid : before.uids[0]!,
    gid: plan.kind === 'sudo-user' ? plan.gid : before.gids[0]!,
    boundingDropped: dropped.value.boundingDropped,
    fds,
    payload,
  };
  return execute(start, { ...environmentChanges(plan), [VARIABLE]: JSON.stringify(envelope) });
}

function execute(
  start: ProgramStart,
  changes: Readonly<Record<string, string | undefined>>,
): Result<never> {
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
  const size = Buffer.byteLength(changes[VARIABLE] ?? '');
  if (size + VARIABLE.length + 2 > MAX_VARIABLE_BYTES) {
    return err(failed(`what to hand over takes ${size} bytes, too many for the environment`));
  }
  const argv = [start.execPath, ...start.execArgv, ...start.args];
  return err(failed(formatSyscallError(execv(start.execPath, argv))));
}

/** Node or the script may lie in a home directory that the new identity cannot enter. */
function checkReachable(start: ProgramStart): Result<undefined> {
  const script = start.args[0];
  try {
    accessSync(start.execPath, constants.X_OK);
    if (script?.startsWith('/') === true) accessSync(script, constants.R_OK);
    return ok(undefined);
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    return err({
      ...failed(cause.message),
      remedy: 'install node and ioheat where every user can read them, or add --stay-root',
    });
  }
}

function failed(why: string): IoheatError {
  return { exitCode: ExitCode.failed, what: 'could not give up the rights of root', why };
}

/**
 * Stage 2's first act; `undefined` in stage 1. Confirms that no thread of this process has any power
 * left, and refuses to go on otherwise.
 */
export function receiveHandover(): Result<Handover | undefined> {
  const text = process.env[VARIABLE];
  if (text === undefined) return ok(undefined);
  // Children of this program must not take it for theirs.
  Reflect.deleteProperty(process.env, VARIABLE);
  const envelope = parseEnvelope(text);
  if (envelope?.pid !== process.pid) {
    return err({
      exitCode: ExitCode.failed,
      what: `the environment variable ${VARIABLE} is not this process's own`,
      remedy: `unset ${VARIABLE}`,
    });
  }
  const power = findPower(envelope);
  if (power !== undefined) return err(failed(power));
  for (const fd of envelope.fds) {
    const closing = setCloseOnExec(fd, true);
    if (!closing.ok) return err(failed(formatSyscallError(closing.error)));
  }
  return ok({ kind: envelope.kind, fds: envelope.fds, payload: envelope.payload });
}

function parseEnvelope(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isEnvelope(value) ? value : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
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

/** What any thread can still do; `undefined` is the invariant of stage 2. */
function findPower(expected: Envelope): string | undefined {
  for (const tid of readdirSync('/proc/self/task')) {
    const status = readStatus(tid);
    if (status === undefined) continue;
    const rights = parseThreadRights(status);
    const power = rights === undefined ? 'cannot be checked' : powerOf(rights, expected);
    if (power !== undefined) return `thread ${tid} ${power}`;
  }
  return undefined;
}

/** Absent when the thread has ended since it was listed. */
function readStatus(tid: string): string | undefined {
  try {
    return readFileSync(`/proc/self/task/${tid}/status`, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw cause;
  }
}

/** Pure, so that each way to fail can be shown to be seen. */
export function powerOf(
  rights: ThreadRights,
  expected: { readonly uid: number; readonly gid: number; readonly boundingDropped: boolean },
): string | undefined {
  if (!rights.noNewPrivs) return 'may gain privileges by exec';
  if (rights.uids.some((uid) => uid !== expected.uid)) return `is user ${rights.uids.join()}`;
  if (rights.gids.some((gid) => gid !== expected.gid)) return `is of group ${rights.gids.join()}`;
  const sets = {
    effective: rights.effective,
    permitted: rights.permitted,
    inheritable: rights.inheritable,
    ambient: rights.ambient,
    ...(expected.boundingDropped ? { bounding: rights.bounding } : {}),
  };
  for (const [name, set] of Object.entries(sets)) {
    if (set !== 0n) return `has ${name} capabilities ${set.toString(16)}`;
  }
  return undefined;
}
