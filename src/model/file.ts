import { DEVS_PER_HOST, unknownDeviceName } from './device.ts';

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
  /**
   * Raw, as it was when the file was first seen; undefined while it is unknown. Of several files their folder, with a
   * slash at its end, or nothing if they are in several.
   */
  readonly path?: string | undefined;
}

/** The number of unknown files. */
export const UNKNOWN_FILE = 0;
/** The number of I/O without a file: a flush, a discard. */
export const NO_FILE = 2;
/** The number shared by files beyond the capacity, also of folders. */
export const OTHER_FILES = 1;

/** Numbers below it are the same in every table. */
export const FIRST_FILE = 3;

/** Added to the number in the file column of a row: the I/O was merged, and has bytes of further files. */
export const MERGED_FILES = 2 ** 31;

/** The bits of a number in the file column that name the file. */
export const FILE_NUMBER = MERGED_FILES - 1;

/** Whether the file itself is known, not only a name or its folder. */
export function isKnownFile(file: FileFacts): boolean {
  return file.kind === 'file' && file.dev % DEVS_PER_HOST !== NO_DEVICE && !isSeveralFiles(file);
}

/** Whether it stands for several files that have no number of their own. */
export function isSeveralFiles({ kind, inode }: FileFacts): boolean {
  return kind === 'file' && inode === NOBODY.inode;
}

/** What stands for the files of the same folder that have no number of their own; undefined if the folder is unknown. */
export function otherFilesOf({ kind, dev, path }: FileFacts): FileFacts | undefined {
  const end = kind === 'file' && path !== undefined ? path.lastIndexOf('/') + 1 : 0;
  return end === 0 ? undefined : { kind, ...NOBODY, dev, path: path!.slice(0, end) };
}

/** The device of a file of which only a name is known. */
export const NO_DEVICE = 0;

/** Of what is not a file. */
export const NOBODY = { dev: 0, inode: 0, generation: 0 } as const;

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

/** Shown after the folder of several files. */
const OTHER_FILES_TEXT = '(other files)';

/** The path of a file, or a word in parentheses: `/var/log/syslog`, `(swap)`, `inode 12 of 259:1`. */
export function fileText(file: FileFacts): string {
  const { kind, dev, inode, path } = file;
  if (kind === 'none') return NO_FILE_TEXT;
  if (kind !== 'file') return `(${kind})`;
  if (isSeveralFiles(file)) return `${path ?? ''}${OTHER_FILES_TEXT}`;
  return path ?? `inode ${inode} of ${unknownDeviceName(dev)}`;
}

/** Shown for files whose path is not known. */
const UNKNOWN_FOLDER_TEXT = '(unknown folder)';

/** The folder of a file, with a slash at its end: `/var/log/`. Undefined for other kinds of data, and for several folders. */
export function folderText({ kind, path }: FileFacts): string | undefined {
  if (kind !== 'file' || path === '') return undefined;
  const end = path?.lastIndexOf('/') ?? -1;
  return end < 0 ? UNKNOWN_FOLDER_TEXT : path!.slice(0, end + 1);
}
