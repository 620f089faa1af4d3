import { accessSync, constants } from 'node:fs';
import { constants as system } from 'node:os';
import { err, ok, type Result } from '../../base/result.ts';
import { ownRights } from './capabilities.ts';
import { keepRingsAway } from './confine.ts';
import { environmentChanges } from './drop-plan.ts';
import { ownStart, type ProgramStart } from './explain.ts';
import { dropPrivileges } from './drop-privileges.ts';
import {
  cannotDrop,
  cannotReadRights,
  HANDOVER_VARIABLE,
  type Envelope,
  type UnprivilegedPlan,
} from './receive-handover.ts';
import {
  execv,
  formatSyscallError,
  hasFileCapabilities,
  ignoreSignal,
  setCloseOnExec,
} from '../native/syscalls.ts';

/*
 * A program that was started with privileges runs in two stages of one process.
 *
 * Stage 1 is privileged. To trace, it loads and attaches the programs and opens descriptors of the rings and maps;
 * for most commands it does nothing. It then drops all privileges and executes node again with the same arguments;
 * stage 2 inherits the descriptors and is the program that people see. An exec is needed because Linux keeps
 * capabilities per thread: after a mere `setuid`, V8's workers and libuv's pool would keep theirs, and libuv uses
 * them for file operations. `execve` ends every thread but the caller, so all threads of stage 2 descend from an
 * unprivileged one.
 *
 * The numbers are passed in an environment variable, not in an inherited memfd: they are a few hundred bytes,
 * contain no secret and need no further descriptor. Forging the variable gains nothing, because stage 2 refuses to
 * continue unless the kernel confirms that it is unprivileged.
 */

/** MAX_ARG_STRLEN: one string of argv or environ. */
const MAX_VARIABLE_BYTES = 131_072;

/** Node sets close-on-exec on inherited descriptors, these three included (`uv_disable_stdio_inheritance`). */
const STANDARD_FDS = [0, 1, 2];

export interface HandoverRequest {
  readonly plan: UnprivilegedPlan;
  /** Descriptors that stay open; all others that Node, libbpf and the kernel opened are closed on exec. */
  readonly fds: readonly number[];
  /** Converted to JSON for stage 2: what the descriptors are. */
  readonly payload: unknown;
  /** Whether the command has an option to stay root. */
  readonly mayStayRoot?: boolean;
  readonly start?: ProgramStart;
}

/**
 * The last call of stage 1: does not return on success. After an error this thread may already be unprivileged and
 * others not, so the caller must print it and exit. Call it before anything reads standard input or changes the
 * terminal: exec runs no exit handler.
 *
 * sudo gives the program a terminal that belongs to root. Stage 2 cannot open it again by its name, as libuv does to
 * write without blocking, but any process can open its own terminal as `/dev/tty`.
 */
export function handOver(request: HandoverRequest): Result<never> {
  const { plan, fds, payload, mayStayRoot = false, start = ownStart() } = request;
  const before = ownRights();
  if (before === undefined) return err(cannotReadRights());
  const keepBounding = hasFileCapabilities(start.execPath);
  for (const fd of [...STANDARD_FDS, ...fds]) {
    const kept = setCloseOnExec(fd, false);
    if (!kept.ok) return err(cannotDrop(formatSyscallError(kept.error)));
  }
  const dropped = dropPrivileges({ plan, effective: before.effective, keepBounding });
  if (!dropped.ok) return err(cannotDrop(formatSyscallError(dropped.error)));
  // If this fails, stage 2 finds the rings and reports them.
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
    return err(cannotDrop(`the handover takes ${size} bytes, too many for the environment`));
  }
  // Until Node handles this signal, it would end the program; afterwards, it would open Node's debugger.
  ignoreSignal(system.signals.SIGUSR1);
  const argv = [start.execPath, ...optionsOfNode(start.execArgv), ...start.args];
  return err(cannotDrop(formatSyscallError(execv(start.execPath, argv))));
}

const NO_DEBUGGER = '--disable-sigusr1';
/**
 * In MiB. By default, V8 lets each of three semi-spaces for new objects grow to 16 MiB: up to 27 MiB more memory after
 * some minutes. The processor time is about the same: side by side, 1.65 % of a core at 1,000 I/Os a second with 2 MiB
 * as with 16, 2.2 % and 2.4 % at 10,000.
 */
const YOUNG_MEMORY = '--max-semi-space-size';
const YOUNG_MIB = 2;

/**
 * Options for Node.js in addition to those that a person chose. The first one exists from Node 22.14 on; older versions
 * would refuse to start.
 */
function optionsOfNode(execArgv: readonly string[]): readonly string[] {
  const chosen = [...execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ');
  const isKnown = process.allowedNodeEnvironmentFlags.has(NO_DEBUGGER);
  return [
    ...execArgv,
    ...(isKnown && !chosen.includes(NO_DEBUGGER) ? [NO_DEBUGGER] : []),
    ...(chosen.includes(YOUNG_MEMORY) ? [] : [`${YOUNG_MEMORY}=${YOUNG_MIB}`]),
  ];
}

/** Node or the script may be in a home directory that the new user cannot enter. */
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

/** Called by stage 2: keeps the descriptors from being inherited by its children. */
export function keepFromChildren(fds: readonly number[]): Result<undefined> {
  for (const fd of fds) {
    const closing = setCloseOnExec(fd, true);
    if (!closing.ok) return err(cannotDrop(formatSyscallError(closing.error)));
  }
  return ok(undefined);
}
