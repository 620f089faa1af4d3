import type { IoOwner } from './imported-io.ts';
import type { LogSink } from './log-format.ts';
import { isPossibleSector, TIMES_NS } from './import-rows.ts';
import { SECTOR_BYTES } from '../../model/completion-columns.ts';
import { IdentityMark } from '../../model/identity.ts';
import { isUnknownOp, Op, OP_MASK, RequestFlag } from '../../model/operation.ts';

/** One step of a request, from blktrace or the block tracepoints. */
export interface RequestStep {
  /** Ns since the start of the trace. */
  readonly ns: number;
  readonly dev: number;
  readonly cmdFlags: number;
  /** At least 2^53 for requests without an offset. */
  readonly sector: number;
  readonly sectors: number;
  readonly owner: IoOwner | undefined;
  /** Bits of `IdentityMark`: what the log lacks about it. */
  readonly unknown: number;
}

/**
 * Stages before the issue, in the order of the kernel. ioheat takes the allocation of the request for the bio (`getrq`,
 * `block_io_start`) as its submission; if the log lacks it, the first other stage that it has.
 */
export const Stage = { queued: 0, allocated: 1, started: 2, inserted: 3 } as const;
export type Stage = (typeof Stage)[keyof typeof Stage];

/** Whether a request may have such numbers: otherwise its line is damaged, and must not be joined with others. */
export function isPossibleStep({ ns, sector, sectors }: RequestStep): boolean {
  return Math.abs(ns) < TIMES_NS && isPossibleSector(sector) && sectors < SECTORS_OF_REQUEST;
}

/** Bytes of a request have 32 bits. */
const SECTORS_OF_REQUEST = 2 ** 32 / SECTOR_BYTES;

/** The error in the brackets of a completion: blkparse prints 16 bits of it. Undefined for anything else. */
export function parseError(text: string): number | undefined {
  return /^-?\d{1,5}$/.test(text) ? Number(text) : undefined;
}

/** The kernel prints 2^64 - 1 when there is no sector. */
const NO_SECTOR = 2 ** 53;
const FLUSH_FLAGS = RequestFlag.fua | RequestFlag.preflush;

interface Waiting {
  readonly step: RequestStep;
  stage: Stage;
  submitNs: number;
  issueNs: number;
  isRequeued: boolean;
  /** A flush sequence first completes its data, then, without bytes, as a whole. */
  awaitsFlush: boolean;
  doneSectors: number;
  /** The error; NaN when it is not in the log. */
  error: number;
  /** The previous request with the same device, operation and sector. */
  older: Waiting | undefined;
}

/** Maximum number of waiting requests; more than any machine has in flight. */
const CAPACITY = 1 << 16;

/** Joins submissions, issues and completions to I/Os, by device, operation and sector. */
export class RequestJoin {
  private readonly submitted = new Places();
  private readonly issued = new Places();

  submit(stage: Stage, step: RequestStep): void {
    const known = this.submitted.find(step, (waiting) => waiting.stage < stage);
    if (known === undefined) {
      this.submitted.add(placeOf(step), waitingOf(stage, step));
      // If the log lacks merges, merged requests stay here; forgetting them loses nothing.
      this.submitted.forgetBeyond(CAPACITY);
      return;
    }
    known.stage = stage;
    if (stage <= Stage.started) known.submitNs = step.ns;
  }

  /** A bio or request that is appended to an earlier one. */
  mergeBack(step: RequestStep): void {
    this.submitted.take(step, 'youngest');
  }

  /** A bio that is prepended to the following request. */
  mergeFront(step: RequestStep): void {
    this.submitted.take(step, 'youngest');
    const behind = { ...step, sector: step.sector + step.sectors };
    const request = this.submitted.take(behind, 'youngest');
    if (request !== undefined) this.submitted.add(placeOf(step), request);
  }

  /** A bio is split: the rest of it, from `newSector` on, was submitted at the same time. */
  split(step: RequestStep, newSector: number): void {
    const whole = this.submitted.find(step, () => true);
    if (whole === undefined) return;
    const rest = { ...step, sector: newSector };
    this.submitted.add(placeOf(rest), {
      ...waitingOf(whole.stage, rest),
      submitNs: whole.submitNs,
    });
  }

  /** The first issue counts; a requeued request is issued again. */
  issue(step: RequestStep, out: LogSink): void {
    const again = this.issued.find(step, (waiting) => waiting.isRequeued);
    if (again !== undefined) {
      again.isRequeued = false;
      return;
    }
    const before = this.submitted.take(step, 'youngest');
    const request = waitingOf(
      Stage.inserted,
      before === undefined ? step : withOrigin(step, before),
    );
    request.submitNs = before?.submitNs ?? NaN;
    request.issueNs = step.ns;
    request.awaitsFlush =
      step.sectors > 0 && (request.step.cmdFlags & ~step.cmdFlags & FLUSH_FLAGS) !== 0;
    this.issued.add(placeOf(step), request);
    this.countUnfinished(this.issued.forgetBeyond(CAPACITY), out);
  }

  requeue(step: RequestStep): void {
    const request = this.issued.find(step, (waiting) => !waiting.isRequeued);
    if (request !== undefined) request.isRequeued = true;
  }

  /** Completes a request or a first part of it; the last part makes the row. */
  complete(step: RequestStep, error: number | undefined, out: LogSink): boolean {
    const request = this.issued.take(step, 'oldest') ?? this.takeAppend(step);
    if (request === undefined) return this.completeUnissued(step, error, out);
    request.error = resultOf(request.error, error);
    request.doneSectors += step.sectors;
    if (step.sectors > 0 && request.doneSectors < request.step.sectors) {
      this.issued.add(placeOf({ ...step, sector: step.sector + step.sectors }), request);
      return true;
    }
    if (step.sectors > 0 && request.awaitsFlush) {
      this.issued.add(placeOf(request.step), request);
      return true;
    }
    return addRow(request, step.ns, out);
  }

  /**
   * A zone append is issued at the start of its zone; its completion has the place where it was written. Its operation
   * has no letter of its own in most kernels.
   */
  private takeAppend(step: RequestStep): Waiting | undefined {
    if (!isUnknownOp(step.cmdFlags) || step.sectors === 0) return undefined;
    const append = this.issued.takeAppend(step);
    return append && { ...append, step: { ...append.step, sector: step.sector } };
  }

  isSubmitted(step: RequestStep): boolean {
    return this.submitted.find(step, () => true) !== undefined;
  }

  /** Counts requests that were issued but did not complete. */
  end(out: LogSink): void {
    this.countUnfinished(this.issued.forgetBeyond(0), out);
  }

  private completeUnissued(step: RequestStep, error: number | undefined, out: LogSink): boolean {
    const request = this.submitted.take(step, 'oldest');
    if (request !== undefined) {
      request.error = error ?? NaN;
      return addRow(request, step.ns, out);
    }
    // The end of a flush sequence whose data completed before.
    if (step.sectors === 0 && (step.cmdFlags & OP_MASK) !== Op.flush) return true;
    out.lose('completion without issue', 1, step.dev);
    out.problems.add('completions of requests whose issue is not in the log', out.where());
    return true;
  }

  private countUnfinished(count: number, out: LogSink): void {
    if (count > 0)
      out.problems.add(
        'requests whose completion is not in the log',
        out.where(),
        undefined,
        count,
      );
  }
}

/** The first error of a request's parts counts; undefined means unknown. */
function resultOf(before: number, error: number | undefined): number {
  if (error === undefined) return before === 0 ? NaN : before;
  return error === 0 ? before : error;
}

/** FUA, preflush and the owner are only visible at submission. */
function withOrigin(step: RequestStep, { step: origin }: Waiting): RequestStep {
  const cmdFlags = step.cmdFlags | (origin.cmdFlags & ~OP_MASK);
  const unknown = origin.owner === undefined ? step.unknown : origin.unknown;
  return { ...step, cmdFlags, owner: origin.owner ?? step.owner, unknown };
}

function addRow(request: Waiting, completeNs: number, out: LogSink): boolean {
  const { dev, cmdFlags, sector, sectors, owner } = request.step;
  const { deviceNs, queueNs } = timesOf(request, completeNs, out);
  const bytes = sectors * SECTOR_BYTES;
  const place = bytes === 0 ? NaN : sector;
  const isKnown = !Number.isNaN(request.error);
  const error = isKnown ? request.error : 0;
  const unknown = request.step.unknown | (isKnown ? 0 : IdentityMark.errorUnknown);
  return out.rows.add({
    completeNs,
    deviceNs,
    queueNs,
    sector: place,
    bytes,
    dev,
    cmdFlags,
    error,
    owner,
    unknown,
  });
}

/**
 * Without an issue, an empty request has waited for its flush, as in ioheat's own traces; one with data belongs to a
 * device without a queue, such as dm, and all of its time is device time.
 */
function timesOf(request: Waiting, completeNs: number, out: LogSink) {
  const { submitNs, issueNs } = request;
  if (!Number.isNaN(issueNs))
    return { deviceNs: completeNs - issueNs, queueNs: issueNs - submitNs };
  if (request.step.sectors === 0) return { deviceNs: NaN, queueNs: completeNs - submitNs };
  out.problems.add('I/Os without an issue: their device time is from submission', out.where());
  return { deviceNs: completeNs - submitNs, queueNs: NaN };
}

function waitingOf(stage: Stage, step: RequestStep): Waiting {
  return {
    step,
    stage,
    submitNs: step.ns,
    issueNs: NaN,
    isRequeued: false,
    awaitsFlush: false,
    doneSectors: 0,
    error: 0,
    older: undefined,
  };
}

/** Flushes and requests of drivers have sector 0 at their issue and no sector at their completion. */
function placeOf({ dev, cmdFlags, sector }: RequestStep): string {
  const op = cmdFlags & OP_MASK;
  return `${dev} ${op} ${op === Op.flush || sector >= NO_SECTOR ? 0 : sector}`;
}

/** Requests that are considered as appends: more than a zoned disk has in flight. */
const MOST_APPENDS = 1 << 12;

function isAppendOf(issue: RequestStep, completion: RequestStep): boolean {
  const { dev, cmdFlags, sector, sectors } = completion;
  const isSameKind = issue.dev === dev && ((issue.cmdFlags ^ cmdFlags) & OP_MASK) === 0;
  return isSameKind && issue.sectors === sectors && issue.sector <= sector;
}

/** Requests by device, operation and sector, in the order of the first request of each. */
class Places {
  private readonly youngest = new Map<string, Waiting>();
  private count = 0;

  add(place: string, waiting: Waiting): void {
    waiting.older = this.youngest.get(place);
    this.youngest.set(place, waiting);
    this.count++;
  }

  find(step: RequestStep, fits: (waiting: Waiting) => boolean): Waiting | undefined {
    let waiting = this.youngest.get(placeOf(step));
    while (waiting !== undefined && !fits(waiting)) waiting = waiting.older;
    return waiting;
  }

  /**
   * Completions take the oldest request. Issues take the youngest, because older ones may have been merged without a
   * line in the log.
   */
  take(step: RequestStep, which: 'oldest' | 'youngest'): Waiting | undefined {
    const place = placeOf(step);
    const first = this.youngest.get(place);
    if (first === undefined) return undefined;
    this.count--;
    if (which === 'youngest' || first.older === undefined) return this.replace(place, first);
    let last = first;
    while (last.older?.older !== undefined) last = last.older;
    const oldest = last.older;
    last.older = undefined;
    return oldest;
  }

  /** Takes the oldest request of this size at the last place before this one: its zone starts there. */
  takeAppend(step: RequestStep): Waiting | undefined {
    let append: Waiting | undefined;
    let seen = 0;
    for (const first of this.youngest.values())
      for (let one: Waiting | undefined = first; one !== undefined; one = one.older) {
        if (++seen > MOST_APPENDS) break;
        if (isAppendOf(one.step, step) && one.step.sector >= (append?.step.sector ?? 0))
          append = one;
      }
    if (append !== undefined) this.remove(append);
    return append;
  }

  private remove(waiting: Waiting): void {
    const place = placeOf(waiting.step);
    let younger = this.youngest.get(place);
    if (younger === waiting) this.replace(place, waiting);
    while (younger !== undefined && younger.older !== waiting) younger = younger.older;
    if (younger !== undefined) younger.older = waiting.older;
    this.count--;
  }

  /** Forgets the oldest places; returns the number of requests forgotten. */
  forgetBeyond(capacity: number): number {
    const before = this.count;
    for (const [place, waiting] of this.youngest) {
      if (this.count <= capacity) break;
      this.youngest.delete(place);
      for (let one: Waiting | undefined = waiting; one !== undefined; one = one.older) this.count--;
    }
    return before - this.count;
  }

  private replace(place: string, first: Waiting): Waiting {
    if (first.older === undefined) this.youngest.delete(place);
    else this.youngest.set(place, first.older);
    return first;
  }
}
