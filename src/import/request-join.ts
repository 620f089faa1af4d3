import type { IoOwner } from './imported-io.ts';
import type { LogSink } from './log-format.ts';
import { IdentityMark } from '../model/identity-table.ts';
import { Op, OP_MASK, RequestFlag } from '../model/operation.ts';

/** One step in the life of a request, as blktrace and the block tracepoints tell it. */
export interface RequestStep {
  /** Ns since the start of the trace. */
  readonly ns: number;
  readonly dev: number;
  readonly cmdFlags: number;
  /** Beyond 2^53 for requests without a place. */
  readonly sector: number;
  readonly sectors: number;
  readonly owner: IoOwner | undefined;
  /** Bits of `IdentityMark`: what the log does not tell of it. */
  readonly unknown: number;
}

/**
 * What comes before the issue, in the kernel's order. ioheat itself takes the time when a request has
 * been allocated for the bio (`getrq`, `block_io_start`) for its submission; of the others the first
 * that is told stands for it.
 */
export const Stage = { queued: 0, allocated: 1, started: 2, inserted: 3 } as const;
export type Stage = (typeof Stage)[keyof typeof Stage];

/** What the kernel prints for none is 2^64 - 1. */
const NO_SECTOR = 2 ** 53;
const SECTOR_BYTES = 512;
const FLUSH_FLAGS = RequestFlag.fua | RequestFlag.preflush;

interface Waiting {
  readonly step: RequestStep;
  stage: Stage;
  submitNs: number;
  issueNs: number;
  isRequeued: boolean;
  /** The flush machinery completes its data first, then, without bytes, the whole sequence. */
  awaitsFlush: boolean;
  doneSectors: number;
  /** NaN when the log does not tell it. */
  error: number;
  /** The one before with the same device, operation and place. */
  older: Waiting | undefined;
}

/** Requests that wait at once; more than any machine has in flight. */
const CAPACITY = 1 << 16;

/** Joins submissions, issues and completions to I/Os, by device, operation and sector. */
export class RequestJoin {
  private readonly submitted = new Places();
  private readonly issued = new Places();

  submit(stage: Stage, step: RequestStep): void {
    const known = this.submitted.find(step, (waiting) => waiting.stage < stage);
    if (known === undefined) {
      this.submitted.add(placeOf(step), waitingOf(stage, step));
      // Merged requests are left behind where the log does not tell of merges: nothing is lost.
      this.submitted.forgetBeyond(CAPACITY);
      return;
    }
    known.stage = stage;
    if (stage <= Stage.started) known.submitNs = step.ns;
  }

  /** A bio or a request that becomes part of the one before it. */
  mergeBack(step: RequestStep): void {
    this.submitted.take(step, 'youngest');
  }

  /** A bio that becomes the beginning of the request behind it. */
  mergeFront(step: RequestStep): void {
    this.submitted.take(step, 'youngest');
    const behind = { ...step, sector: step.sector + step.sectors };
    const request = this.submitted.take(behind, 'youngest');
    if (request !== undefined) this.submitted.add(placeOf(step), request);
  }

  /** The rest of a bio, from `newSector` on, waits as long as its beginning. */
  split(step: RequestStep, newSector: number): void {
    const whole = this.submitted.find(step, () => true);
    if (whole === undefined) return;
    const rest = { ...step, sector: newSector };
    this.submitted.add(placeOf(rest), {
      ...waitingOf(whole.stage, rest),
      submitNs: whole.submitNs,
    });
  }

  /** The first issue counts: a requeued request is issued again. */
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

  /** Of all or of a first part of a request; the last part makes the row. */
  complete(step: RequestStep, error: number | undefined, out: LogSink): boolean {
    const request = this.issued.take(step, 'oldest');
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

  isSubmitted(step: RequestStep): boolean {
    return this.submitted.find(step, () => true) !== undefined;
  }

  /** What was issued and did not come back. */
  end(out: LogSink): void {
    this.countUnfinished(this.issued.forgetBeyond(0), out);
  }

  private completeUnissued(step: RequestStep, error: number | undefined, out: LogSink): boolean {
    const request = this.submitted.take(step, 'oldest');
    if (request !== undefined) {
      request.error = error ?? NaN;
      return addRow(request, step.ns, out);
    }
    // The end of a flush sequence, whose data were done before.
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

/** The first failure of a request's parts counts; undefined is not told. */
function resultOf(before: number, error: number | undefined): number {
  if (error === undefined) return before === 0 ? NaN : before;
  return error === 0 ? before : error;
}

/** FUA and preflush are visible only at submission, and so is the owner. */
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
  const isTold = !Number.isNaN(request.error);
  const error = isTold ? request.error : 0;
  const unknown = request.step.unknown | (isTold ? 0 : IdentityMark.errorUnknown);
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
 * Without an issue an empty request has waited for its flush, as in ioheat's own traces; one with data
 * is of a device without a queue, such as dm's, all of whose time is the device's.
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

/** Flushes and what drivers send themselves have sector 0 at their issue and none at their completion. */
function placeOf({ dev, cmdFlags, sector }: RequestStep): string {
  const op = cmdFlags & OP_MASK;
  return `${dev} ${op} ${op === Op.flush || sector >= NO_SECTOR ? 0 : sector}`;
}

/** Requests by place, the places in the order of their first request. */
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
   * The oldest completes first. Of submissions the youngest is issued: an older one may have been merged
   * without the log telling.
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

  /** Forgets places, the oldest first; how many requests that were. */
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
