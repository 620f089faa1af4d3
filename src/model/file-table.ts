import { Candidates, SHARE_FOR_FREQUENT } from './candidates.ts';
import type { CompletionColumns } from './completion-columns.ts';
import { DEVS_PER_HOST, unknownDeviceName } from './device.ts';
import { hashOf, HashIndex } from './hash-index.ts';

/** The kinds of data that an I/O may read or write, in words that people filter by. */
export const FILE_KINDS = [
  'unknown',
  'none',
  'file',
  'device',
  'swap',
  'metadata',
  'journal',
] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** A file, or another kind of data that an I/O reads or writes. */
export interface FileFacts {
  readonly kind: FileKind;
  /** Device number of the file system; 0 where there is no file. */
  readonly dev: number;
  readonly inode: number;
  /** Distinguishes files that had the same inode number one after the other. */
  readonly generation: number;
  /** Raw, as it was when the file was first seen; undefined while it is unknown. */
  readonly path?: string | undefined;
}

/** The number of unknown files. */
export const UNKNOWN_FILE = 0;
/** The number of I/O without a file: a flush, a discard. */
export const NO_FILE = 2;
/** The number shared by all files beyond the capacity. */
export const OTHER_FILES = 1;

/** Numbers below it are the same in every table. */
export const FIRST_FILE = 3;

/** Added to the number in the file column of a row: the I/O was merged, and has bytes of further files. */
export const MERGED_FILES = 2 ** 31;

/** The bits of a number in the file column that name the file. */
export const FILE_NUMBER = MERGED_FILES - 1;

/** Further files share one number. A file takes about 300 bytes. */
const FILE_CAPACITY = 1 << 16;

/** When most numbers are taken, a new file gets one only after this many I/Os. */
const OFTEN = 16;

/** A file of which only the name in a call is known; it is identified by the name alone. */
export function namedFile(path: string): FileFacts {
  return { kind: 'file', dev: NO_DEVICE, inode: nameHash(path), generation: 0, path };
}

/** Whether the file itself is known, not only a name. */
export function isKnownFile({ kind, dev }: FileFacts): boolean {
  return kind === 'file' && dev % DEVS_PER_HOST !== NO_DEVICE;
}

const NO_DEVICE = 0;

/** 48 bits, by FNV-1a in two halves. */
function nameHash(text: string): number {
  let [low, high] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at++) {
    low = Math.imul(low ^ text.charCodeAt(at), 0x01000193);
    high = Math.imul(high ^ low, 0x85ebca6b);
  }
  return (low >>> 0) + (high >>> 16) * 2 ** 32;
}

const NOBODY = { dev: 0, inode: 0, generation: 0 } as const;

/** Interns files; numbers are dense, start at 0 and are never reused. */
export class FileTable {
  private readonly numbers = new HashIndex();
  private readonly files: FileFacts[] = [
    { kind: 'unknown', ...NOBODY },
    { kind: 'file', ...NOBODY, path: '(other files)' },
    { kind: 'none', ...NOBODY },
  ];
  /** Changes when a known file gets a path. */
  renames = 0;
  private readonly firstForFrequent: number;
  /** By number, when the first I/O of the file completed: trace time in ns; NaN until then. */
  private firstSeen = new Float64Array(64).fill(NaN);
  /** Paths of files without a number; empty until one is known. */
  private readonly candidates = new Candidates<string>(OFTEN, (known, latest) => latest || known);

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

  /** Whether all numbers are taken. */
  get isFull(): boolean {
    return this.files.length >= this.capacity;
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
      this.files.length < this.firstForFrequent ? file : this.frequent(file),
    );
  }

  /** The file once it has come often enough; undefined until then. */
  private frequent(file: FileFacts): FileFacts | undefined {
    const { kind, dev, inode, generation, path = '' } = file;
    // Joined, because V8 keeps the result of a template as its parts.
    const id = [kind, dev, inode, generation].join(' ');
    const known = this.candidates.add(id, path);
    if (known === undefined) return undefined;
    return known === '' ? file : { ...file, path: known };
  }

  /** `admit` returns the file to be numbered, or undefined to refuse it. */
  private numberOf(file: FileFacts, admit: () => FileFacts | undefined): number {
    const { kind, dev, inode, generation } = file;
    if (kind === 'unknown') return UNKNOWN_FILE;
    const hash = hashOf(kind, dev, inode, generation);
    const known = this.numbers.find(hash, (number) => isSame(this.get(number), file));
    if (known !== undefined) {
      this.rename(known, file);
      return known;
    }
    const admitted = this.isFull ? undefined : admit();
    if (admitted === undefined) return OTHER_FILES;
    const number = this.files.push(admitted) - 1;
    this.numbers.add(hash, number);
    if (this.isFull) this.candidates.clear();
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

function isSame(a: FileFacts, b: FileFacts): boolean {
  return (
    a.inode === b.inode && a.generation === b.generation && a.dev === b.dev && a.kind === b.kind
  );
}

/** The number of a file from the column of a row, without the mark of merged files. */
export function fileNumber(value: number): number {
  return value & FILE_NUMBER;
}

export function isMergedFiles(value: number): boolean {
  return value >= MERGED_FILES;
}

/** As `fileText`, but undefined unless the file of a single I/O is known. */
export function knownFileText(file: FileFacts): string | undefined {
  return file.kind === 'unknown' || file.kind === 'none' ? undefined : fileText(file);
}

/** Shown for I/O that has no file. */
const NO_FILE_TEXT = '(flush, discard)';

/** The path of a file, or a word in parentheses: `/var/log/syslog`, `(swap)`, `inode 12 of 259:1`. */
export function fileText({ kind, dev, inode, path }: FileFacts): string {
  if (kind === 'none') return NO_FILE_TEXT;
  if (kind !== 'file') return `(${kind})`;
  return path ?? `inode ${inode} of ${unknownDeviceName(dev)}`;
}

/** Shown for files whose path is not known. */
const UNKNOWN_FOLDER_TEXT = '(unknown folder)';

/** The folder of a file, with a slash at its end: `/var/log/`. Undefined for other kinds of data, and for several files. */
export function folderText({ kind, inode, path }: FileFacts): string | undefined {
  if (kind !== 'file' || inode === NOBODY.inode) return undefined;
  const end = path?.lastIndexOf('/') ?? -1;
  return end < 0 ? UNKNOWN_FOLDER_TEXT : path!.slice(0, end + 1);
}
