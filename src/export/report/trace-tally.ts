import { CountEstimates } from '../../query/activity/count-estimates.ts';
import { ownerName, UNKNOWN_COMM } from '../../query/activity/activity-rows.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import {
  cgroupOf,
  commandIsKnown,
  IdentityMark,
  operationIsUnknown,
  OTHER_COMM,
  ownerIsKnown,
} from '../../model/identity.ts';
import type { Identity } from '../../model/identity.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import { layerOf } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import { opClass } from '../../model/operation.ts';
import type { OpClass } from '../../model/operation.ts';
import { errorText } from '../../model/request-text.ts';
import { Verdict } from '../../filter/verdict.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import { tallyClass } from '../../query/tally/tally.ts';
import { Slowest } from '../../query/slowest/slowest.ts';
import type { RowPicker } from '../rows/row-picker.ts';
import { GroupTallies } from './group-tally.ts';
import type { GroupTally } from './group-tally.ts';
import { TimeExtent } from '../trace/time-extent.ts';

export interface ProcessTally {
  /** Undefined if the owner is not known. */
  readonly tgid: number | undefined;
  /** For people; a word in parentheses if unknown. */
  readonly title: string;
  readonly comm: string | undefined;
  readonly tally: GroupTally;
}

export interface ErrorTally {
  readonly dev: number;
  /** Undefined if unknown. */
  readonly opClass: OpClass | undefined;
  readonly text: string;
  count: number;
}

interface Target {
  readonly opClass: number;
  readonly isError: boolean;
  readonly disk: GroupTally;
  readonly process: GroupTally;
  /** Undefined if it is not known. */
  readonly cgroup: GroupTally | undefined;
  readonly errors: ErrorTally | undefined;
}

/** A group takes 16 KB; further processes share those of their names. */
const MOST_PROCESSES = 2000;
/** All further names share one. */
const MOST_COMMANDS = 500;
/** All further cgroups share the last one. */
const MOST_CGROUPS = 500;
/** Takes the place of an id. */
export const OTHER_CGROUPS = 0;
const SLOWEST_COUNT = 10;

/** Adds up a whole trace, as exactly as it is known, in memory that does not grow with its length. */
export class TraceTally {
  private readonly groups = new GroupTallies();
  readonly total = this.groups.claim();
  readonly disks = new Map<number, GroupTally>();
  readonly processes = new Map<string, ProcessTally>();
  /** By id. */
  readonly cgroups = new Map<number, GroupTally>();
  readonly errors = new Map<string, ErrorTally>();
  readonly slowest = new Slowest(SLOWEST_COUNT);
  /** Completions that are picked. */
  readonly picked = new TimeExtent();
  /** Everything in the trace, whatever is picked: it was recorded at least from then to then. */
  readonly all = new TimeExtent();
  /** Of the aggregates, whatever is picked: each is counted whole. */
  readonly aggregates = new TimeExtent();
  /** By identity, whether it has I/O in the range, whatever matches the filter. */
  private readonly inRange: boolean[] = [];
  private undecidedSums = 0;
  private readonly targets: (Target | undefined)[] = [];
  private readonly estimates = new CountEstimates<GroupTally>();

  constructor(
    private readonly identities: IdentityTable,
    private readonly filter: CompiledFilter,
    private readonly picker: RowPicker,
  ) {}

  /** I/Os that may or may not match the filter, aggregated or of owners that share an identity. */
  get undecidedCount(): number {
    return this.undecidedSums + this.picker.undecided;
  }

  /** The layers with I/O in the range, whatever matches the filter. */
  get layers(): ReadonlySet<Layer> {
    const found = new Set<Layer>();
    this.inRange.forEach((_, identity) => found.add(layerOf(this.identities.get(identity))));
    return found;
  }

  rows(rows: CompletionColumns): void {
    const { completeNs, deviceNs, queueNs, bytes, identity, length } = rows;
    for (let row = 0; row < length; row++) {
      const at = completeNs[row]!;
      this.all.add(at);
      if (this.picker.covers(at)) this.inRange[identity[row]!] = true;
    }
    const count = this.picker.pick(rows);
    for (let i = 0; i < count; i++) {
      const row = this.picker.picked[i]!;
      const target = this.targetOf(identity[row]!);
      const { opClass: op, isError, disk, process, cgroup, errors } = target;
      const queue = queueNs[row]!;
      const device = deviceNs[row]!;
      for (const group of [this.total, disk, process])
        group.add(op, bytes[row]!, isError, queue, device);
      cgroup?.add(op, bytes[row]!, isError, queue, device);
      if (errors !== undefined) errors.count++;
      this.picked.add(completeNs[row]!);
      const known = queue >= 0 || device >= 0;
      if (known) this.slowest.offer((queue || 0) + (device || 0), rows, row);
    }
    this.slowest.keep();
  }

  /** An aggregate that overlaps the range. */
  summary(summary: CompletionSummary): void {
    this.inRange[summary.identity] = true;
    for (const extent of [this.all, this.aggregates]) {
      extent.add(summary.startNs);
      extent.add(summary.endNs);
    }
    const verdict = this.filter.judge(summary.identity);
    if (verdict === Verdict.maybe) this.undecidedSums += summary.count;
    const target = verdict === Verdict.yes ? this.targetOf(summary.identity) : undefined;
    const groups =
      target && [target.disk, target.process, target.cgroup].filter((one) => one !== undefined);
    const identity = this.identities.get(summary.identity);
    this.estimates.add(identity, summary.countVariance ?? 0, groups);
    if (target === undefined || groups === undefined) return;
    for (const group of [this.total, ...groups])
      group.addAggregate(target.opClass, summary, target.isError);
    this.picked.add(summary.startNs);
    this.picked.add(summary.endNs);
  }

  /** Call it once, after the last aggregate. */
  finish(): void {
    const owners = [...this.processes.values()].map(({ tally }) => tally);
    for (const group of [...this.disks.values(), ...owners, ...this.cgroups.values()])
      group.addCountVariance(this.estimates.varianceOf(group));
    this.total.addCountVariance(this.estimates.variance());
  }

  private targetOf(index: number): Target {
    const known = this.targets[index];
    if (known !== undefined) return known;
    const identity = this.identities.get(index);
    const target: Target = {
      opClass: tallyClass(identity),
      isError: identity.error !== 0,
      disk: this.diskOf(identity.dev),
      process: this.processOf(identity),
      cgroup: this.cgroupFor(identity),
      errors: this.errorOf(identity),
    };
    for (const group of [this.total, target.disk, target.process]) group.note(identity);
    target.cgroup?.note(identity);
    this.targets[index] = target;
    return target;
  }

  private diskOf(dev: number): GroupTally {
    const known = this.disks.get(dev);
    if (known !== undefined) return known;
    const tally = this.groups.claim();
    this.disks.set(dev, tally);
    return tally;
  }

  private cgroupFor(identity: Identity): GroupTally | undefined {
    const { cgroups } = this;
    const id = commandIsKnown(identity) ? cgroupOf(identity) : undefined;
    if (id === undefined) return undefined;
    const isOther = !cgroups.has(id) && cgroups.size >= MOST_CGROUPS;
    const row = isOther ? OTHER_CGROUPS : id;
    const tally = cgroups.get(row) ?? this.groups.claim();
    cgroups.set(row, tally);
    return tally;
  }

  private processOf(identity: Identity): GroupTally {
    const isOwned = ownerIsKnown(identity);
    const isProcess = isOwned && (identity.marks & IdentityMark.processUnknown) === 0;
    const tgid = isProcess ? identity.tgid : undefined;
    const title = ownerName(identity) || UNKNOWN_COMM;
    const comm = commandIsKnown(identity) && identity.comm !== '' ? identity.comm : undefined;
    return (
      this.rowOf({ tgid, title, comm }, MOST_PROCESSES) ??
      this.rowOf({ tgid: undefined, title, comm }, MOST_PROCESSES + MOST_COMMANDS) ??
      this.rowOf({ tgid: undefined, title: OTHER_COMM, comm: undefined }, Infinity)!
    );
  }

  /** The tally of a row of the process table, which is added to it if it has less than `most` rows. */
  private rowOf(who: Omit<ProcessTally, 'tally'>, most: number): GroupTally | undefined {
    const id = `${who.tgid ?? ''} ${who.title}`;
    const known = this.processes.get(id);
    if (known !== undefined) return known.tally;
    if (this.processes.size >= most) return undefined;
    const tally = this.groups.claim();
    this.processes.set(id, { ...who, tally });
    return tally;
  }

  private errorOf(identity: Identity): ErrorTally | undefined {
    const text = errorText(identity.error);
    if (text === undefined) return undefined;
    const op = operationIsUnknown(identity) ? undefined : opClass(identity.cmdFlags);
    const id = `${identity.dev} ${op} ${text}`;
    const known = this.errors.get(id) ?? { dev: identity.dev, opClass: op, text, count: 0 };
    this.errors.set(id, known);
    return known;
  }
}
