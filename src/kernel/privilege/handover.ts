import { accessSync, constants } from 'node:fs';
import { constants as system } from 'node:os';
import { err, ok, type Result } from '../../base/result.ts';
import { ownRights } from './capabilities.ts';
import { keepRingsAway } from './confine.ts';
import { environmentChanges } from './drop-plan.ts';
import { ownStart, type ProgramStart } from './explain.ts';
import { giveUpPower } from './give-up-power.ts';
import {
  cannotDrop,
  HANDOVER_VARIABLE,
  type Envelope,
  type PowerlessPlan,
} from './receive-handover.ts';
import {
  execv,
  formatSyscallError,
  hasFileCapabilities,
  ignoreSignal,
  setCloseOnExec,
} from './syscalls.ts';

/*
 * A program that was started with power runs in two stages of one process.
 *
 * Stage 1 has the power. To trace, it loads, attaches, and holds file descriptors of the rings and maps;
 * for most commands it does nothing at all. It then gives up that power and executes node again with the
 * same arguments; stage 2 finds the descriptors open and is the program that everybody sees. It is an
 * exec and no mere `setuid`, because Linux keeps capabilities per thread: V8's workers and libuv's pool
 * would keep theirs, and libuv hands them file work. `execve` ends every thread but the caller, so all of
 * stage 2 descends from a powerless one.
 *
 * The numbers travel in an environment variable, not in an inherited memfd: they are a few hundred
 * bytes, hold nothing secret, need no descriptor to be found and closed, and a forged variable gains
 * nothing, because stage 2 refuses to go on unless the kernel confirms that it is powerless.
 */

/** MAX_ARG_STRLEN: one string of argv or environ. */
const MAX_VARIABLE_BYTES = 131_072;

/** Node marks what it inherits, these three included, to close on exec (`uv_disable_stdio_inheritance`). */
const STANDARD_FDS = [0, 1, 2];

export interface HandoverRequest {
  readonly plan: PowerlessPlan;
  /** Descriptors that stay open; all others that Node, libbpf and the kernel opened close by themselves. */
  readonly fds: readonly number[];
  /** JSON for stage 2: what the numbers mean. */
  readonly payload: unknown;
  /** The command has an option to keep root instead. */
  readonly mayStayRoot?: boolean;
  readonly start?: ProgramStart;
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
  const { plan, fds, payload, mayStayRoot = false, start = ownStart() } = request;
  const before = ownRights();
  if (before === undefined) return err(cannotDrop('/proc/self/status cannot be understood'));
  const keepBounding = hasFileCapabilities(start.execPath);
  for (const fd of [...STANDARD_FDS, ...fds]) {
    const kept = setCloseOnExec(fd, false);
    if (!kept.ok) return err(cannotDrop(formatSyscallError(kept.error)));
  }
  const dropped = giveUpPower({ plan, effective: before.effective, keepBounding });
  if (!dropped.ok) return err(cannotDrop(formatSyscallError(dropped.error)));
  // Where that fails, the second stage finds rings, and says so.
  keepRingsAway();
  const reachable = checkReachable(start, mayStayRoot);
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
  return execute(start, {
    ...environmentChanges(plan),
    [HANDOVER_VARIABLE]: JSON.stringify(envelope),
  });
}

function execute(
  start: ProgramStart,
  changes: Readonly<Record<string, string | undefined>>,
): Result<never> {
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
  const size = Buffer.byteLength(changes[HANDOVER_VARIABLE] ?? '');
  if (size + HANDOVER_VARIABLE.length + 2 > MAX_VARIABLE_BYTES) {
    return err(cannotDrop(`what to hand over takes ${size} bytes, too many for the environment`));
  }
  // It would end the program until Node takes it up, and open Node's debugger from then on.
  ignoreSignal(system.signals.SIGUSR1);
  const argv = [start.execPath, ...withoutDebugger(start.execArgv), ...start.args];
  return err(cannotDrop(formatSyscallError(execv(start.execPath, argv))));
}

const NO_DEBUGGER = '--disable-sigusr1';

/** From Node 22.14 on; older ones would not start with it. */
function withoutDebugger(execArgv: readonly string[]): readonly string[] {
  const isKnown = process.allowedNodeEnvironmentFlags.has(NO_DEBUGGER);
  return isKnown && !execArgv.includes(NO_DEBUGGER) ? [...execArgv, NO_DEBUGGER] : execArgv;
}

/** Node or the script may lie in a home directory that the new identity cannot enter. */
function checkReachable(start: ProgramStart, mayStayRoot: boolean): Result<undefined> {
  const script = start.args[0];
  const install = 'install node and ioheat where every user can read them';
  const remedy = mayStayRoot ? `${install}, or add --stay-root` : install;
  try {
    accessSync(start.execPath, constants.X_OK);
    if (script?.startsWith('/') === true) accessSync(script, constants.R_OK);
    return ok(undefined);
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    return err(cannotDrop(cause.message, remedy));
  }
}

/** For the second stage, when it is about to use them. */
export function keepFromChildren(fds: readonly number[]): Result<undefined> {
  for (const fd of fds) {
    const closing = setCloseOnExec(fd, true);
    if (!closing.ok) return err(cannotDrop(formatSyscallError(closing.error)));
  }
  return ok(undefined);
}
