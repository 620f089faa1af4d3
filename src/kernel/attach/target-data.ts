import { randomInt } from 'node:crypto';
import { inWords } from '../abi/in-words.ts';
import { Dimension, Target } from '../abi/layout.ts';
import { isInitialNamespace } from '../machine/pid-namespace.ts';
import { PAGE_BYTES } from '../native/mapping.ts';
import type { AttachPlan } from './attach-plan.ts';
import type { Sees } from './load-attempts.ts';
import { creatFlags, openFlagTable } from './open-flags.ts';
import { callTable, wantedCalls } from './storage-calls.ts';
import type { TraceSizes } from './trace-sizes.ts';
import { uringTable } from './uring-calls.ts';

export interface TargetRequest {
  readonly plan: AttachPlan;
  readonly sizes: TraceSizes;
  /** The highest CPU number plus one. */
  readonly cpus: number;
}

/**
 * Whatever the budget is, the first I/O of an owner or file is delivered: this many in about a second on the machine,
 * and at least `LEAST_FIRSTS` on each CPU.
 */
const MOST_FIRSTS = 2048;
const LEAST_FIRSTS = 16;

/** The read-only data of the programs, `struct target`. */
export function targetData({ plan, sizes, cpus }: TargetRequest, sees: Sees): Buffer {
  const field = inWords(Target.offsets);
  const words = new Uint32Array(Target.bytes / 4);
  words[field.slotMask] = sizes.slots - 1;
  words[field.summaryDevices] = sizes.devices;
  words[field.stripeMask] = sizes.stripes - 1;
  words[field.ownerByBio] = Number(plan.ownerByBio);
  words[field.seesQueue] = Number(plan.seesQueue);
  words[field.seesVolumes] = Number(plan.seesVolumes);
  words[field.seesFiles] = Number(sees.seesFiles);
  words[field.seesWriters] = Number(sees.seesWriters);
  words[field.seesJournals] = Number(sees.seesJournals);
  words[field.seesWaits] = Number(sees.seesWaits);
  words[field.seesThrottled] = Number(sees.seesWaits || sees.seesCalls);
  words[field.pageShift] = Math.log2(PAGE_BYTES);
  words[field.ownTgid] = isInitialNamespace('/proc') ? process.pid : 0;
  words[field.mostFirsts] = Math.max(LEAST_FIRSTS, Math.ceil(MOST_FIRSTS / cpus));
  words.set(callTable(process.arch), field.calls);
  words.set(uringTable(), field.uring);
  words.set(openFlagTable(process.arch), field.openFlags);
  words[field.creatFlags] = creatFlags(process.arch);
  new Uint16Array(words.buffer).set(shuffledSlots(), Target.offsets.volumeSlots / 2);
  new Uint8Array(words.buffer).set(wantedCalls(process.arch), Target.offsets.wanted);
  return Buffer.from(words.buffer);
}

/**
 * The order is random because user space sees slots: the set of a bio follows from its kernel address, which a slot
 * must not reveal.
 */
function shuffledSlots(): Uint16Array {
  const slots = Uint16Array.from({ length: Dimension.volumeSets }, (_, set) => set);
  for (let last = slots.length - 1; last > 0; last--) {
    const other = randomInt(last + 1);
    [slots[last], slots[other]] = [slots[other]!, slots[last]!];
  }
  return slots;
}
