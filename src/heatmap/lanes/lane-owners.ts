import { fileText } from '../../model/file-table.ts';
import type { FileTable } from '../../model/file-table.ts';
import type { IdentityTable } from '../../model/identity-table.ts';

/** A lane for each of some disks, in this order; other disks have none. */
export interface DiskLanes {
  readonly by: 'disk';
  readonly identities: IdentityTable;
  readonly devs: readonly number[];
}

/** A lane for each of some files, by `fileText` and in this order, and one more for everything else. */
export interface FileLanes {
  readonly by: 'file';
  readonly files: FileTable;
  readonly texts: readonly string[];
}

/** What the lanes are of. */
export type LaneOwners = DiskLanes | FileLanes;

/** The lanes of rows, by the numbers in one of their columns. */
export interface RowLanes {
  readonly column: 'identity' | 'file';
  /** −1: in no lane. */
  readonly lanes: Int16Array;
}

export function laneCount(owners: LaneOwners): number {
  return owners.by === 'disk' ? owners.devs.length : owners.texts.length + 1;
}

export function areSameLanes(a: LaneOwners, b: LaneOwners): boolean {
  const [before, after] = [namesOf(a), namesOf(b)];
  if (a.by !== b.by || before.length !== after.length) return false;
  return before.every((name, lane) => name === after[lane]);
}

function namesOf(owners: LaneOwners): readonly (number | string)[] {
  return owners.by === 'disk' ? owners.devs : owners.texts;
}

/** Finds lanes, each once. */
export class LaneFinder {
  private lanes = new Int16Array(0);
  private seen = 0;

  constructor(private readonly owners: LaneOwners) {}

  ofRows(): RowLanes {
    const { owners } = this;
    if (owners.by === 'disk') {
      const { identities, devs } = owners;
      this.find(identities.size, (identity) => devs.indexOf(identities.get(identity).dev));
      return { column: 'identity', lanes: this.lanes };
    }
    const { files, texts } = owners;
    this.find(files.size, (file) => laneOfText(texts, fileText(files.get(file))));
    return { column: 'file', lanes: this.lanes };
  }

  /** The lane of I/O of an identity that is only known as a count, and so of any file. */
  readonly ofCounted = (identity: number): number => {
    const { owners } = this;
    return owners.by === 'file' ? owners.texts.length : this.ofRows().lanes[identity]!;
  };

  private find(size: number, laneOf: (number: number) => number): void {
    if (size > this.lanes.length) {
      const larger = new Int16Array(2 * size);
      larger.set(this.lanes.subarray(0, this.seen));
      this.lanes = larger;
    }
    for (; this.seen < size; this.seen++) this.lanes[this.seen] = laneOf(this.seen);
  }
}

/** Files of the same path share a lane, as they share a filter. */
function laneOfText(texts: readonly string[], text: string): number {
  const lane = texts.indexOf(text);
  return lane < 0 ? texts.length : lane;
}
