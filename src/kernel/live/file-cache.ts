import {
  MERGED_FILES,
  NO_FILE,
  OTHER_FILES,
  UNKNOWN_FILE,
  type FileKind,
} from '../../model/file.ts';
import { namedFile } from '../../model/named-file.ts';
import { type FileTable } from '../../model/file-table.ts';
import { RecentMap } from '../../model/recent-map.ts';
import { isOfPrograms, LAYERS } from '../../model/layer.ts';
import { Op, OP_MASK } from '../../model/operation.ts';
import { inWords } from '../abi/in-words.ts';
import {
  Dimension,
  FileKind as Kind,
  FileName,
  IoCompletion,
  IoFlag,
  NameFlag,
} from '../abi/layout.ts';
import { decodeName } from '../../base/decode-name.ts';
import { decodePath } from '../machine/decode-path.ts';
import { fileNumbers } from './file-numbers.ts';
import type { MountPaths } from './mount-paths.ts';

const IO = inWords(IoCompletion.offsets);
const NAME = inWords(FileName.offsets);
const LAYER_MASK = 3;
const DEVICES_FOR_MS = 1_000;

/** An entry has device, generation, the two words of the inode, kind and number. The kind marks an entry in use. */
const ENTRY_WORDS = 6;
const KIND_WORD = 4;
const ENTRIES = 1 << 14;

const KINDS: Readonly<Record<number, FileKind>> = {
  [Kind.regular]: 'file',
  [Kind.device]: 'device',
  [Kind.swap]: 'swap',
  [Kind.metadata]: 'metadata',
  [Kind.journal]: 'journal',
};

/** The file of a request in flight, from a `struct file_id`. */
export interface RequestFile {
  readonly kind: number;
  readonly dev: number;
  /** See `fileNumbers`. */
  readonly inode: number;
  readonly generation: number;
  /** Whether the request has bytes of other files, too. */
  readonly hasOtherFiles: boolean;
  /** The offset of its first byte in the file, in bytes; undefined if it is unknown. */
  readonly offset: number | undefined;
}

/**
 * This many names that programs passed to calls are kept until the record of the call comes. It never takes the name if
 * it is lost, or if the call found the file.
 */
const MOST_GIVEN = 4096;

/**
 * Maps a record to the number of its file without allocating: a direct-mapped table in front of the `FileTable`,
 * where a collision only interns a file again.
 */
export class FileCache {
  private readonly entries = new Uint32Array(ENTRIES * ENTRY_WORDS);
  /** File numbers for pages of devices, by device. They are kept for a short time, because a device may be mounted. */
  private readonly devices = new Map<number, number>();
  private devicesUntilMs = -Infinity;
  /** Names that threads passed to calls, by `givenKey`, until the record of the call comes. */
  private readonly given = new RecentMap<number, string>(MOST_GIVEN);

  constructor(
    private readonly files: FileTable,
    private readonly mounts: MountPaths,
    private readonly nowMs: () => number,
  ) {}

  /** Call it before records or requests are read. */
  begin(): void {
    const nowMs = this.nowMs();
    if (nowMs < this.devicesUntilMs) return;
    this.devicesUntilMs = nowMs + DEVICES_FOR_MS;
    this.devices.clear();
  }

  /** Returns the value of the file column for the I/O whose record starts at the word `at`. */
  number(words: Uint32Array, at: number): number {
    const flags = words[at + IO.flags]! >>> 16;
    const kind = flags >>> Dimension.fileKindShift;
    if (kind === Kind.unknown) return hasFile(words, at) ? UNKNOWN_FILE : NO_FILE;
    if (kind === Kind.givenName) return this.takeGiven(words, at);
    const number =
      kind === Kind.deviceCache
        ? this.deviceNumber(words[at + IO.fileDev]!)
        : this.find(words, at, kind);
    return (flags & IoFlag.otherFiles) === 0 || number === OTHER_FILES
      ? number
      : number + MERGED_FILES;
  }

  /** Does the same as `number` for a request in flight. */
  numberOf({ kind, dev, inode, generation, hasOtherFiles }: RequestFile): number {
    if (kind === Kind.unknown) return UNKNOWN_FILE;
    const number =
      kind === Kind.deviceCache
        ? this.deviceNumber(dev)
        : this.files.internOfIo({ kind: KINDS[kind] ?? 'unknown', dev, inode, generation });
    return !hasOtherFiles || number === OTHER_FILES ? number : number + MERGED_FILES;
  }

  private find(words: Uint32Array, at: number, kind: number): number {
    const { entries } = this;
    const dev = words[at + IO.fileDev]!;
    const generation = words[at + IO.generation]!;
    const low = words[at + IO.inode]!;
    const high = words[at + IO.inode + 1]!;
    const entry = placeOf(dev, low, generation);
    if (
      entries[entry + 2] !== low ||
      entries[entry + 1] !== generation ||
      entries[entry] !== dev ||
      entries[entry + 3] !== high ||
      entries[entry + KIND_WORD] !== kind
    ) {
      const file = { kind: KINDS[kind] ?? 'unknown', dev, ...fileNumbers(low, high, generation) };
      const number = this.files.internOfIo(file);
      // `internOfIo` counts the I/Os of this file until it has a number of its own, so it must not be cached before.
      if (this.files.isOther(number) && !this.files.isFull) return number;
      entries.set([dev, generation, low, high, kind, number], entry);
    }
    return entries[entry + 5]!;
  }

  /** Pages of a device are metadata if a file system is mounted from it. */
  private deviceNumber(dev: number): number {
    const known = this.devices.get(dev);
    if (known !== undefined) return known;
    this.mounts.refresh();
    const kind = this.mounts.isMounted(dev) ? 'metadata' : 'device';
    const number = this.files.intern({ kind, dev: 0, inode: 0, generation: 0 });
    this.devices.set(dev, number);
    return number;
  }

  /** Takes the name that starts at the word `at`. */
  takeName(words: Uint32Array, at: number): void {
    const dev = words[at + NAME.fileDev]!;
    const flags = words[at + NAME.flags]!;
    if ((flags & NameFlag.given) !== 0) {
      this.keepGiven(words, at);
      return;
    }
    const bytes = nameBytes(words, at);

    const inside = decodePath(bytes, (flags & NameFlag.cut) !== 0);
    const path = this.mounts.pathOf(dev, inside);
    const [low, high] = [words[at + NAME.inode]!, words[at + NAME.inode + 1]!];
    const numbers = fileNumbers(low, high, words[at + NAME.generation]!);
    const deleted = (flags & NameFlag.deleted) === 0 ? '' : ' (deleted)';
    this.files.internOfIo({ kind: 'file', dev, ...numbers, path: path + deleted });
    // Of a file without a number of its own, the folder is known from now on.
    this.entries[placeOf(dev, low, words[at + NAME.generation]!) + KIND_WORD] = Kind.unknown;
  }

  /** A name does not identify a file: several files may have the same name, and a file may have several. */
  private keepGiven(words: Uint32Array, at: number): void {
    const text = decodeName(nameBytes(words, at));
    const cut = (words[at + NAME.flags]! & NameFlag.cut) === 0 ? '' : '…';
    this.given.set(givenKey(words[at + NAME.fileDev]!, words[at + NAME.inode]!), text + cut);
  }

  private takeGiven(words: Uint32Array, at: number): number {
    const key = givenKey(words[at + IO.fileDev]!, words[at + IO.inode]!);
    const name = this.given.get(key);
    this.given.delete(key);
    return name === undefined ? UNKNOWN_FILE : this.files.internOfIo(namedFile(name));
  }
}

/**
 * A name and the record of its call have the same key: the thread, which takes 22 bits, and the start of the call,
 * which is different for each call of a thread.
 */
function givenKey(thread: number, beganLow: number): number {
  return thread * 2 ** 31 + (beganLow >>> 1);
}

function nameBytes(words: Uint32Array, at: number): Uint8Array {
  return new Uint8Array(
    words.buffer,
    words.byteOffset + 4 * (at + NAME.path),
    words[at + NAME.bytes],
  );
}

/**
 * Only reads and writes with bytes have a file: flushes, discards, zone operations and passthrough have none. Waits and
 * calls may have one that is unknown.
 */
function hasFile(words: Uint32Array, at: number): boolean {
  const layer = (words[at + IO.flags]! >>> (16 + Dimension.ioLayerShift)) & LAYER_MASK;
  if (isOfPrograms(LAYERS[layer]!)) return true;
  const op = words[at + IO.cmdFlags]! & OP_MASK;
  return words[at + IO.bytes]! > 0 && (op === Op.read || op === Op.write);
}

function placeOf(dev: number, inode: number, generation: number): number {
  const value = Math.imul(inode ^ Math.imul(generation ^ dev, 0x85ebca6b), 0x9e3779b1);
  return (value >>> 18) * ENTRY_WORDS;
}
