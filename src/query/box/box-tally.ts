import type { CompletionColumns } from '../../model/completion-columns.ts';
import { callOf, type Call } from '../../model/call.ts';
import { cgroupOf, IdentityMark, operationIsUnknown, ownerIsKnown } from '../../model/identity.ts';
import type { Identity } from '../../model/identity.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import { opClassIndex } from '../../model/operation.ts';
import { ownerName } from '../activity/activity-rows.ts';
import type { BoxRows } from './box-rows.ts';
import { addKnown } from '../../model/add-known.ts';
import type { BinList } from '../../history/slices/slice.ts';
import type { Slowest } from '../slowest/slowest.ts';

import { READ, Tally, tallyClass, WRITE } from '../tally/tally.ts';

/** Groups with a histogram of their own, up to 5 KB each; further groups have no median. */
export const MEASURED_GROUPS = 1024;

/** The part of the aggregated I/O of one identity that is in the box. */
export interface EntryPart {
  readonly count: number;
  readonly bytes: number;
  readonly waitedNs: number;
  readonly errors: number;
}

/** The latencies of an entry: the bins of `list`, each counted `factor` times, and the largest latency, in ns. */
export interface EntryLatencies {
  readonly list: BinList;
  readonly filled: number;
  readonly factor: number;
  readonly maxNs: number;
}

/** The I/O in a box of one process, disk and operation class, or call. */
export interface TalliedGroup {
  /** Any one of its identities: they differ only in properties that are not used here. */
  readonly owner: Identity;
  readonly opClass: number;
  /** The system call, for waits and calls that are known individually. */
  readonly call: Call | undefined;
  isIndirect: boolean;
  hasSeveralWriters: boolean;
  readonly vias: Set<string>;
  /** Undefined if unknown, or if there are several. */
  cgroup: number | undefined;
}

/** Adds up the I/O in a box: a tally row per group. */
export class BoxTally {
  /** By tally row. */
  readonly groups: TalliedGroup[] = [];
  readonly tally = new Tally(MEASURED_GROUPS);
  private readonly identities: IdentityTable;
  private readonly isLatency: boolean;
  private readonly ranksByValue: boolean;
  /** By identity, its group + 1; 0 if it has none yet. */
  private readonly groupOf: Uint32Array;
  /** By identity, its operation class, and 1 if its I/O failed. */
  private readonly opClassOf: Uint8Array;
  private readonly failedOf: Uint8Array;
  /** By identity, 1 if its bytes are transferred, 0 if they are only named, as by a discard. */
  private readonly movesOf: Uint8Array;
  private readonly rowById = new Map<string, number>();

  /**
   * `isLatency`: the values of the box are latencies, of which the percentiles of groups are then computed.
   * `ranksByValue`: the slowest I/Os are those with the largest values instead of the largest total latency.
   */
  constructor(identities: IdentityTable, isLatency: boolean, ranksByValue = false) {
    this.identities = identities;
    this.ranksByValue = ranksByValue && isLatency;
    this.isLatency = isLatency;
    this.groupOf = new Uint32Array(identities.size);
    this.opClassOf = new Uint8Array(identities.size);
    this.failedOf = new Uint8Array(identities.size);
    this.movesOf = new Uint8Array(identities.size);
  }

  /** Adds the rows that `BoxRows` has found in a block of `rows`. */
  addRows(rows: CompletionColumns, box: BoxRows, found: number, slowest: Slowest): void {
    const { deviceNs, queueNs, bytes, identity: keyOf } = rows;
    const { row: rowOf, value: valueOf } = box;
    const { tally, groupOf, opClassOf, failedOf, movesOf, isLatency, ranksByValue } = this;
    const { latencies } = tally;
    for (let i = 0; i < found; i++) {
      const row = rowOf[i]!;
      const identity = keyOf[row]!;
      if (groupOf[identity] === 0) this.admit(identity);
      const group = groupOf[identity]! - 1;
      const waited = addKnown(deviceNs[row]!, queueNs[row]!);
      const latency = isLatency ? valueOf[i]! : waited;
      const waitNs = waited > 0 ? waited : 0;
      const moved = bytes[row]! * movesOf[identity]!;
      tally.add(group, opClassOf[identity]!, 1, moved, waitNs, failedOf[identity]!);
      latencies.add(group, latency);
      const rank = ranksByValue ? latency : waited;
      if (rank > slowest.threshold) slowest.offer(rank, rows, row);
    }
  }

  addEntry(identity: number, part: EntryPart, latencies: EntryLatencies | undefined): void {
    const { tally, groupOf, opClassOf, failedOf } = this;
    if (groupOf[identity] === 0) this.admit(identity);
    const group = groupOf[identity]! - 1;
    const errors = failedOf[identity] === 1 ? part.count : part.errors;
    const moved = part.bytes * this.movesOf[identity]!;
    tally.add(group, opClassOf[identity]!, part.count, moved, part.waitedNs, errors);
    if (latencies === undefined) return;
    const { list, filled, factor, maxNs } = latencies;
    tally.latencies.addBins(group, list, filled, factor, maxNs);
  }

  /** Assigns an identity to its group. */
  private admit(identity: number): void {
    const facts = this.identities.get(identity);
    const opClass = tallyClass(facts);
    const call = callOf(facts);
    const id = `${facts.dev} ${call ?? opClass} ${ownerIsKnown(facts) ? facts.tgid : ''} ${ownerName(facts)}`;
    let row = this.rowById.get(id);
    if (row === undefined) {
      row = this.tally.claim();
      this.groups.push({
        ...{ owner: facts, opClass, call, cgroup: cgroupOf(facts) },
        ...{ isIndirect: true, hasSeveralWriters: false, vias: new Set() },
      });
      this.rowById.set(id, row);
    }
    const group = this.groups[row]!;
    group.isIndirect &&= (facts.marks & IdentityMark.indirect) !== 0;
    group.hasSeveralWriters ||= (facts.marks & IdentityMark.severalWriters) !== 0;
    if (facts.via !== undefined) group.vias.add(facts.via);
    if (group.cgroup !== cgroupOf(facts)) group.cgroup = undefined;
    this.tally.note(row, facts);
    this.groupOf[identity] = row + 1;
    this.opClassOf[identity] = opClass;
    this.failedOf[identity] = facts.error === 0 ? 0 : 1;
    this.movesOf[identity] = isMove(facts) ? 1 : 0;
  }
}

/** See `Tally.movedBytes`. */
function isMove(identity: Identity): boolean {
  return [READ, WRITE].includes(opClassIndex(identity.cmdFlags)) || operationIsUnknown(identity);
}
