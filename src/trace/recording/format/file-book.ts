import {
  FIRST_FILE,
  fileNumber,
  isMergedFiles,
  MERGED_FILES,
  UNKNOWN_FILE,
} from '../../../model/file.ts';
import type { FileFacts } from '../../../model/file.ts';
import type { FileTable } from '../../../model/file-table.ts';

/**
 * Length of the paths that a batch may define; further ones follow with the next batch. The notes of a batch end at 32
 * MB.
 */
const MOST_PATH_LENGTH = 4 << 20;

/** Differs from any number of renames: the paths are compared at the next batch. */
const NEVER = -1;

/** A file with its number in the epoch, and when it was first seen: trace time in ns, if at all. */
export type NumberedFile = readonly [
  number: number,
  file: FileFacts,
  firstSeenNs?: number | undefined,
];

/** Numbers the files of an epoch in the order in which rows refer to them. */
export class FileBook {
  /** By number in the `FileTable`, the number in this epoch; 0 if it has none. */
  private numbers: Uint32Array = new Uint32Array(1024);
  private size = 0;
  /** By number in the `FileTable`, the path that was written last. */
  private paths = new Map<number, string | undefined>();
  private waiting: number[] = [];
  /** Files that were only in flight when they were written. */
  private readonly unseen = new Set<number>();
  private renames = NEVER;

  constructor(private readonly files: FileTable) {}

  startEpoch(): void {
    this.numbers.fill(0);
    this.size = 0;
    this.paths.clear();
    this.unseen.clear();
    this.waiting = [];
  }

  /** The value for a row. `value` is that of the column in memory, perhaps with the mark of merged files. */
  number(value: number): number {
    const file = fileNumber(value);
    if (file < FIRST_FILE) return value;
    const known = this.numbers[file];
    const number = known !== undefined && known > 0 ? known : this.add(file);
    return isMergedFiles(value) ? number + MERGED_FILES : number;
  }

  /**
   * Files that no batch has defined yet, with the number of the first one; and files whose path has become known or has
   * changed since.
   */
  takeNew(): { readonly from: number; readonly files: readonly NumberedFile[] } {
    const { waiting } = this;
    const from = FIRST_FILE + this.size - waiting.length;
    const due = [...new Set([...waiting, ...this.seenSince(), ...this.renamed()])];
    this.waiting = [];
    let room = MOST_PATH_LENGTH;
    const files = due.map((file): NumberedFile => {
      const facts = this.files.get(file);
      room -= facts.path?.length ?? 0;
      const path = room < 0 ? undefined : facts.path;
      this.paths.set(file, path);
      const firstSeenNs = this.files.firstSeenNs(file);
      if (firstSeenNs === undefined) this.unseen.add(file);
      return [this.numbers[file]!, { ...facts, path }, firstSeenNs];
    });
    if (room < 0) this.renames = NEVER;
    return { from, files };
  }

  private seenSince(): number[] {
    const seen = [...this.unseen].filter((file) => this.files.firstSeenNs(file) !== undefined);
    for (const file of seen) this.unseen.delete(file);
    return seen;
  }

  private renamed(): number[] {
    const { paths, files } = this;
    if (files.renames === this.renames) return [];
    this.renames = files.renames;
    return [...paths].filter(([file, path]) => files.get(file).path !== path).map(([file]) => file);
  }

  private add(file: number): number {
    const number = FIRST_FILE + this.size++;
    if (file >= this.numbers.length) this.numbers = enlarged(this.numbers, file);
    this.numbers[file] = number;
    this.waiting.push(file);
    return number;
  }
}

/** The files of an epoch for a reader: by number in the epoch, the number in its own `FileTable`. */
export class KnownFiles {
  private numbers: Uint32Array = new Uint32Array(64);
  private size = FIRST_FILE;
  private isWhole = true;

  constructor(private readonly files: FileTable) {}

  startEpoch(): void {
    this.size = FIRST_FILE;
    this.isWhole = true;
  }

  /**
   * `from` is how many numbers were defined before these. If definitions are missing, the files of the rest of the
   * epoch are unknown.
   */
  learn(from: number, defined: readonly NumberedFile[]): void {
    if (from !== this.size) this.isWhole = false;
    if (!this.isWhole) return;
    for (const [number, facts, firstSeenNs] of defined) {
      if (number > this.size) this.isWhole = false;
      if (!this.isWhole) return;
      if (number === this.numbers.length) this.numbers = enlarged(this.numbers, number);
      const known = this.files.intern(facts);
      this.numbers[number] = known;
      if (firstSeenNs !== undefined) this.files.seeAt(known, firstSeenNs);
      this.size = Math.max(this.size, number + 1);
    }
  }

  /** The value for the column in memory; unknown where the number is not defined. */
  value(number: number): number {
    const file = fileNumber(number);
    if (file < FIRST_FILE) return number;
    if (!this.isWhole || file >= this.size) return UNKNOWN_FILE;
    const known = this.numbers[file]!;
    return isMergedFiles(number) ? known + MERGED_FILES : known;
  }
}

function enlarged(numbers: Uint32Array, index: number): Uint32Array {
  const larger = new Uint32Array(Math.max(numbers.length * 2, index + 1));
  larger.set(numbers);
  return larger;
}
