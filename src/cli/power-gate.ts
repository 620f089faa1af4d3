import { readFileSync } from 'node:fs';
import type { Result } from '../base/result.ts';
import { err, ok } from '../base/result.ts';
import { parseThreadRights } from '../kernel/privilege/capabilities.ts';
import type { DropPlan, planDrop } from '../kernel/privilege/drop-plan.ts';
import { cannotDrop, receiveHandover } from '../kernel/privilege/receive-handover.ts';
import type { Handover, PowerlessPlan } from '../kernel/privilege/receive-handover.ts';
import { hasRings } from '../kernel/privilege/rings.ts';
import { namedDescriptors } from './named-descriptors.ts';
import { needByName, POWER_TABLE } from './power-table.ts';
import type { Task } from './power-table.ts';

/*
 * Every command passes here before it opens a file: what a task may keep, and until when, is the table's
 * to say. This file is loaded first, and loads what a drop takes only where there is something to drop.
 */

/** What a task may do; each kind that holds power is handed to the one task that may have it. */
export type Pass =
  | { readonly kind: 'powerless'; readonly handover: Handover | undefined }
  | { readonly kind: 'attach'; readonly plan: DropPlan }
  | { readonly kind: 'trial' }
  | { readonly kind: 'descriptor'; readonly plan: PowerlessPlan };

const POWERLESS: Pass = { kind: 'powerless', handover: undefined };

/**
 * The first look, at the first word alone: a command that needs nothing does not even read its options
 * with power. Does not return where it drops. The value is what the first stage of this process has left.
 */
export async function passEarly(argv: readonly string[]): Promise<Result<Handover | undefined>> {
  const received = receiveHandover();
  if (!received.ok || received.value !== undefined) return received;
  if (needByName(argv[0]) !== 'nothing') return received;
  const passed = await passWithoutNeed();
  return passed.ok ? ok(undefined) : passed;
}

/** The second look, at what the command line turned out to mean; holds whatever the first one took it for. */
export async function pass(
  task: Task,
  { stayRoot, handover }: { stayRoot: boolean; handover: Handover | undefined },
): Promise<Result<Pass>> {
  if (handover !== undefined) return ok({ kind: 'powerless', handover });
  const need = POWER_TABLE[task];
  if (need === 'nothing') return passWithoutNeed(task);
  // Tells also what is missing for a drop.
  if (need === 'trial') return ok({ kind: need });
  const plan = await planOf(stayRoot && need === 'attach');
  if (!plan.ok) return plan;
  if (plan.value === undefined) return passPowerless(task);
  if (need === 'attach') return ok({ kind: need, plan: plan.value });
  return plan.value.kind === 'stay-root' ? drop(plan.value) : ok({ kind: need, plan: plan.value });
}

async function passWithoutNeed(task?: Task): Promise<Result<Pass>> {
  const plan = await planOf(false);
  if (!plan.ok) return plan;
  return plan.value === undefined ? passPowerless(task) : drop(plan.value);
}

/** Tasks that read nothing but their own command line, or end with an error. */
const UNCONFINED: readonly (Task | undefined)[] = ['help or version', 'usage error', 'live'];

/**
 * A process with rings of io_uring cannot be confined. It executes itself once more, as if it had
 * something to drop, and gets none; where that fails, it goes on as it is.
 */
async function passPowerless(task?: Task): Promise<Result<Pass>> {
  if (!UNCONFINED.includes(task) && hasRings() === true) await tryWithoutRings();
  return ok(POWERLESS);
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
  if (plan.kind === 'stay-root') return err(cannotDrop('it was asked to keep them'));
  const { handOver } = await import('../kernel/privilege/handover.ts');
  // sudo passes no descriptors on: what has such a number there was opened with power.
  const fds = plan.kind === 'sudo-user' ? [] : namedDescriptors(process.argv);
  return handOver({ plan, fds, payload: undefined });
}

/** Undefined where there is nothing to drop. */
async function planOf(stayRoot: boolean): Promise<Result<DropPlan | undefined>> {
  const euid = process.geteuid?.() ?? 0;
  if (!mayHoldPower(euid)) return ok(undefined);
  const loaded = await loadDropPlan();
  return loaded.ok ? loaded.value.planDrop({ euid, env: process.env, stayRoot }) : loaded;
}

/** Also where that cannot be told: a drop of nothing does no harm. */
function mayHoldPower(euid: number): boolean {
  const { SUDO_UID, SUDO_GID } = process.env;
  if (euid === 0 && (SUDO_UID ?? SUDO_GID) !== undefined) return true;
  const status = readStatus();
  if (status === undefined) return euid === 0;
  const rights = parseThreadRights(status);
  return rights === undefined || (rights.permitted | rights.effective | rights.ambient) !== 0n;
}

/** Absent where /proc is not mounted. */
function readStatus(): string | undefined {
  try {
    return readFileSync('/proc/self/status', 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause) return undefined;
    throw cause;
  }
}

/** Needs the native module, which replaying without root does not. */
async function loadDropPlan(): Promise<Result<{ readonly planDrop: typeof planDrop }>> {
  try {
    return ok(await import('../kernel/privilege/drop-plan.ts'));
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    const remedy = 'install ioheat again on this machine, or run it without sudo';
    return err(cannotDrop(cause.message.split('\n')[0] ?? '', remedy));
  }
}
