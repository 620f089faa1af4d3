import type { TermValue } from '../../filter/filter.ts';
import { NO_SUBJECT } from './lane-subjects.ts';
import type { LaneSubjects } from './lane-subjects.ts';

/** The subjects that have a lane each. */
export interface LaneOwners {
  readonly subjects: LaneSubjects;
  /** The keys of these subjects (`LaneSubjects.key`), in the order of the lanes. */
  readonly keys: readonly TermValue[];
}

/** Finds the lane of a row by the number in one of its columns. */
export interface RowLanes {
  readonly column: 'identity' | 'file';
  /** −1 for no lane. */
  readonly lanes: Int16Array;
}

/** Finds the lane of I/O that is known only as a count, by its identity. */
export interface CountedLanes {
  /** −1 for no lane. */
  laneOf(identity: number): number;
  /** Whether the I/O may belong to any lane. */
  isUnknown(identity: number): boolean;
}

/**
 * The last lane is for the subjects without a lane of their own. In the layout `disks` there is none: every disk that
 * the filter matches has a lane.
 */
function hasOthers({ subjects }: LaneOwners): boolean {
  return subjects.kind !== 'disk';
}

/** The number of lanes, including the one for all others if there is one. */
export function laneCount(owners: LaneOwners): number {
  return owners.keys.length + (hasOthers(owners) ? 1 : 0);
}

export function areSameLanes(a: LaneOwners, b: LaneOwners): boolean {
  if (a.subjects !== b.subjects || a.keys.length !== b.keys.length) return false;
  return a.keys.every((key, lane) => key === b.keys[lane]);
}

/** Finds the lane of each number once, and remembers it. */
export class LaneFinder implements CountedLanes {
  private lanes = new Int16Array(0);
  private seen = 0;
  /** Numbers whose subject had no name yet when its lane was determined. */
  private unnamed: number[] = [];
  private readonly laneOfOthers: number;

  constructor(private readonly owners: LaneOwners) {
    this.laneOfOthers = hasOthers(owners) ? owners.keys.length : -1;
  }

  /**
   * Whether I/O was counted in the last lane although its subject has a lane of its own, now that its name is known.
   */
  isOutdated(): boolean {
    const { subjects, keys } = this.owners;
    const named = this.unnamed.filter((number) => subjects.isNamed(subjects.of(number)));
    if (named.length === 0) return false;
    this.unnamed = this.unnamed.filter((number) => !named.includes(number));
    return named.some((number) => keys.includes(subjects.key(subjects.of(number))));
  }

  ofRows(): RowLanes {
    const { subjects } = this.owners;
    if (subjects.size > this.lanes.length) {
      const larger = new Int16Array(2 * subjects.size);
      larger.set(this.lanes.subarray(0, this.seen));
      this.lanes = larger;
    }
    for (; this.seen < subjects.size; this.seen++) this.lanes[this.seen] = this.find(this.seen);
    return { column: subjects.column, lanes: this.lanes };
  }

  laneOf(identity: number): number {
    const isFound = this.owners.subjects.column === 'identity';
    return isFound ? this.ofRows().lanes[identity]! : this.laneOfOthers;
  }

  isUnknown(identity: number): boolean {
    return this.owners.subjects.isUnknown(identity);
  }

  private find(number: number): number {
    const { subjects, keys } = this.owners;
    const subject = subjects.of(number);
    if (subject === NO_SUBJECT) return this.laneOfOthers;
    if (!subjects.isNamed(subject)) this.unnamed.push(number);
    const lane = keys.indexOf(subjects.key(subject));
    return lane < 0 ? this.laneOfOthers : lane;
  }
}
