import { Candidates, SHARE_FOR_FREQUENT } from './candidates.ts';
import type { CompletionColumns } from './completion-columns.ts';
import {
  FIRST_FILE,
  fileNumber,
  isSeveralFiles,
  NOBODY,
  OTHER_FILES,
  otherFilesOf,
  UNKNOWN_FILE,
} from './file.ts';
import type { FileFacts } from './file.ts';
import { hashOf, HashIndex } from './hash-index.ts';
import { RecentMap } from './recent-map.ts';

/** Further files share the number of their folder. A file takes about 300 bytes. */
const FILE_CAPACITY = 1 << 16;

/** How many folders may have a number, as a share of the files. Files of further folders share one number. */
const FOLDERS_SHARE = 1 / 16;

/**
 * The folders of this many files without a number are kept: more than the number of names that the kernel programs
 * remember as sent, so that a forgotten one comes again.
 */
const MOST_PLACED = 1 << 15;

/** When most numbers are taken, a new file gets one only after this many I/Os. */
const OFTEN = 16;

/** Interns files; numbers are dense, start at 0 and are never reused. */
export class FileTable {
  private readonly numbers = new HashIndex();
  private readonly files: FileFacts[] = [
    { kind: 'unknown', ...NOBODY },
    { kind: 'file', ...NOBODY, path: '' },
    { kind: 'none', ...NOBODY },
  ];
  /** Changes when a known file gets a path. */
  renames = 0;
  private readonly firstForFrequent: number;
  /** By number, when the first I/O of the file completed: trace time in ns; NaN until then. */
  private firstSeen = new Float64Array(64).fill(NaN);
  /** Paths of files without a number; empty until one is known. */
  private readonly candidates = new Candidates<string>(OFTEN, (known, latest) => latest || known);
  /** How many folders have a number. */
  private folders = 0;
  /** Numbers of the folders of files without a number, because the path of a file does not come with each I/O. */
  private readonly placed = new RecentMap<string, number>(MOST_PLACED);

  constructor(private readonly capacity = FILE_CAPACITY) {
    this.firstForFrequent = capacity - Math.floor(capacity * SHARE_FOR_FREQUENT);
  }

  get size(): number {
    return this.files.length;
  }

  /** `number` is that of a row, perhaps with `MERGED_FILES`. */
  get(number: number): FileFacts {
    const file = this.files[fileNumber(number)];
    if (file === undefined) throw new RangeError(`no file ${number} among ${this.files.length}`);
    return file;
  }

  /**
   * When the first I/O, wait or call of a file completed, of those known individually: trace time in ns. Never changes,
   * so that it identifies the file. Undefined until then, and for numbers that are not one file.
   */
  firstSeenNs(number: number): number | undefined {
    const atNs = this.firstSeen[fileNumber(number)];
    return atNs === undefined || Number.isNaN(atNs) ? undefined : atNs;
  }

  /** Call it with all rows as they arrive. */
  see({ file, completeNs, length }: CompletionColumns): void {
    for (let row = 0; row < length; row++) this.seeAt(file[row]!, completeNs[row]!);
  }

  seeAt(number: number, atNs: number): void {
    const file = fileNumber(number);
    if (file < FIRST_FILE) return;
    if (file >= this.firstSeen.length) this.growFirstSeen(file);
    if (Number.isNaN(this.firstSeen[file])) this.firstSeen[file] = atNs;
  }

  /** Whether all numbers of single files are taken. */
  get isFull(): boolean {
    return this.files.length - this.folders >= this.capacity;
  }

  /** Whether the number is shared by several files. */
  isOther(number: number): boolean {
    return isSeveralFiles(this.get(number));
  }

  /** The number of a file. A new path replaces the known one. */
  intern(file: FileFacts): number {
    return this.numberOf(file, () => file);
  }

  /**
   * The same for a file of an I/O, which appears again with each I/O: the last numbers are kept for frequent files, so
   * that a busy file gets a row after any number of others.
   */
  internOfIo(file: FileFacts): number {
    return this.numberOf(file, () =>
      this.files.length - this.folders < this.firstForFrequent ? file : this.frequent(file),
    );
  }

  /** The file once it has come often enough; undefined until then. */
  private frequent(file: FileFacts): FileFacts | undefined {
    const known = this.candidates.add(nameOf(file), file.path ?? '');
    if (known === undefined) return undefined;
    return known === '' ? file : { ...file, path: known };
  }

  /** `admit` returns the file to be numbered, or undefined to refuse it. */
  private numberOf(file: FileFacts, admit: () => FileFacts | undefined): number {
    if (file.kind === 'unknown') return UNKNOWN_FILE;
    const hash = fileHash(file);
    const known = this.numbers.find(hash, (number) => isSame(this.get(number), file));
    if (known !== undefined) {
      this.rename(known, file);
      return known;
    }
    const admitted = this.hasRoom(file) ? admit() : undefined;
    if (admitted === undefined) return this.numberOfOthers(file);
    const number = this.files.push(admitted) - 1;
    if (isSeveralFiles(admitted)) this.folders++;
    this.numbers.add(hash, number);
    if (this.isFull) this.candidates.clear();
    return number;
  }

  private hasRoom(file: FileFacts): boolean {
    return isSeveralFiles(file) ? this.folders < this.capacity * FOLDERS_SHARE : !this.isFull;
  }

  private numberOfOthers(file: FileFacts): number {
    if (isSeveralFiles(file)) return OTHER_FILES;
    const others = otherFilesOf(file);
    if (others === undefined) return this.placed.get(nameOf(file)) ?? OTHER_FILES;
    const number = this.intern(others);
    this.placed.set(nameOf(file), number);
    return number;
  }

  private growFirstSeen(number: number): void {
    const larger = new Float64Array(Math.max(number + 1, this.firstSeen.length * 2)).fill(NaN);
    larger.set(this.firstSeen);
    this.firstSeen = larger;
  }

  private rename(number: number, { path }: FileFacts): void {
    const known = this.files[number]!;
    if (path === undefined || path === known.path) return;
    this.files[number] = { ...known, path };
    this.renames++;
  }
}

function fileHash(file: FileFacts): number {
  const { kind, dev, inode, generation } = file;
  return hashOf(kind, dev, inode, generation, folderOfSeveral(file));
}

function isSame(a: FileFacts, b: FileFacts): boolean {
  return (
    a.inode === b.inode &&
    a.generation === b.generation &&
    a.dev === b.dev &&
    a.kind === b.kind &&
    folderOfSeveral(a) === folderOfSeveral(b)
  );
}

/** Several files are those of a folder: nothing else tells them apart. */
function folderOfSeveral(file: FileFacts): string {
  return isSeveralFiles(file) ? (file.path ?? '') : '';
}

/** Joined, because V8 keeps the result of a template as its parts. */
function nameOf({ kind, dev, inode, generation }: FileFacts): string {
  return [kind, dev, inode, generation].join(' ');
}
