import { readFileSync } from 'node:fs';
import { isSystemError } from '../../base/system-error.ts';
import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import { parseThreadRights } from '../../kernel/privilege/capabilities.ts';
import type { DropPlan, planDrop } from '../../kernel/privilege/drop-plan.ts';
import { cannotDrop, receiveHandover } from '../../kernel/privilege/receive-handover.ts';
import type { Handover, UnprivilegedPlan } from '../../kernel/privilege/receive-handover.ts';
import { hasRings } from '../../kernel/privilege/rings.ts';
import { namedDescriptors } from './named-descriptors.ts';
import { needByName, PRIVILEGE_TABLE } from './privilege-table.ts';
import type { Task } from './privilege-table.ts';

/*
 * Every command passes here before it opens a file; the privilege table says what a task may keep, and
 * until when. This file is loaded first, and loads the code for a drop only where there is something to drop.
 */

/** What a task may do; each kind with privileges is handed to the one task that may have them. */
export type Pass =
  | { readonly kind: 'unprivileged'; readonly handover: Handover | undefined }
  | { readonly kind: 'attach'; readonly plan: DropPlan }
  | { readonly kind: 'trial' }
  | { readonly kind: 'descriptor'; readonly plan: UnprivilegedPlan };

const UNPRIVILEGED: Pass = { kind: 'unprivileged', handover: undefined };

/**
 * The first check, of the first word alone: a command that needs nothing does not even parse its options
 * with privileges. Does not return where it drops. The value is what the first stage has left.
 */
export async function passEarly(argv: readonly string[]): Promise<Result<Handover | undefined>> {
  const received = receiveHandover();
  if (!received.ok || received.value !== undefined) return received;
  if (needByName(argv[0]) !== 'nothing') return received;
  const passed = await passWithoutNeed();
  return passed.ok ? ok(undefined) : passed;
}

/** The second check, of the parsed command line; it holds whatever the first one assumed. */
export async function pass(
  task: Task,
  { stayRoot, handover }: { stayRoot: boolean; handover: Handover | undefined },
): Promise<Result<Pass>> {
  if (handover !== undefined) return ok({ kind: 'unprivileged', handover });
  const need = PRIVILEGE_TABLE[task];
  if (need === 'nothing') return passWithoutNeed(task);
  // Reports also what is missing for a drop.
  if (need === 'trial') return ok({ kind: need });
  const plan = await planOf(stayRoot && need === 'attach');
  if (!plan.ok) return plan;
  if (plan.value === undefined) return passUnprivileged(task);
  if (need === 'attach') return ok({ kind: need, plan: plan.value });
  return plan.value.kind === 'stay-root' ? drop(plan.value) : ok({ kind: need, plan: plan.value });
}

async function passWithoutNeed(task?: Task): Promise<Result<Pass>> {
  const plan = await planOf(false);
  if (!plan.ok) return plan;
  return plan.value === undefined ? passUnprivileged(task) : drop(plan.value);
}

/** Tasks that read nothing but their own command line, or end with an error. */
const UNCONFINED: readonly (Task | undefined)[] = ['help or version', 'usage error', 'live'];

/**
 * A process with io_uring rings cannot be confined. It re-executes itself, as if it had privileges to
 * drop, and then has no rings; where that fails, it continues unconfined.
 */
async function passUnprivileged(task?: Task): Promise<Result<Pass>> {
  if (!UNCONFINED.includes(task) && hasRings() === true) await tryWithoutRings();
  return ok(UNPRIVILEGED);
}

async function tryWithoutRings(): Promise<void> {
  try {
    await drop({ kind: 'own-user' });
  } catch (cause) {
    // The native module does not load here.
    if (!(cause instanceof Error)) throw cause;
  }
}

async function drop(plan: DropPlan): Promise<Result<never>> {
  if (plan.kind === 'stay-root') return err(cannotDrop('the handover asks to keep them'));
  const { handOver } = await import('../../kernel/privilege/handover.ts');
  // sudo passes no descriptors on: such a number there was opened with privileges.
  const fds = plan.kind === 'sudo-user' ? [] : namedDescriptors(process.argv);
  return handOver({ plan, fds, payload: undefined });
}

/** The plan for dropping privileges; undefined if there is nothing to drop. */
async function planOf(stayRoot: boolean): Promise<Result<DropPlan | undefined>> {
  const euid = process.geteuid?.() ?? 0;
  if (!mayHavePrivileges(euid)) return ok(undefined);
  const loaded = await loadDropPlan();
  return loaded.ok ? loaded.value.planDrop({ euid, env: process.env, stayRoot }) : loaded;
}

/** Whether the process may have privileges; true also if that is unknown, because dropping nothing does no harm. */
function mayHavePrivileges(euid: number): boolean {
  const { SUDO_UID, SUDO_GID } = process.env;
  if (euid === 0 && (SUDO_UID ?? SUDO_GID) !== undefined) return true;
  const status = readStatus();
  if (status === undefined) return euid === 0;
  const rights = parseThreadRights(status);
  return rights === undefined || (rights.permitted | rights.effective | rights.ambient) !== 0n;
}

/** Absent if /proc is not mounted. */
function readStatus(): string | undefined {
  try {
    return readFileSync('/proc/self/status', 'utf8');
  } catch (cause) {
    if (isSystemError(cause)) return undefined;
    throw cause;
  }
}

/** Needs the native module, which replaying without root does not. */
async function loadDropPlan(): Promise<Result<{ readonly planDrop: typeof planDrop }>> {
  try {
    return ok(await import('../../kernel/privilege/drop-plan.ts'));
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    const remedy = 'install ioheat again on this machine, or run it without sudo';
    return err(cannotDrop(cause.message.split('\n')[0] ?? '', remedy));
  }
}
