import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { codeOf, codeOrThrow } from '../base/system-error.ts';
import type { IoheatError, Result } from '../base/result.ts';
import { ExitCode, err, ok } from '../base/result.ts';
import { deviceNumbers, diskFlags } from './held-disk.ts';
import type { HeldDisk } from './held-disk.ts';
import type { Canvas, Stroke } from './plan.ts';

export interface TargetRequest {
  readonly path: string;
  readonly writes: boolean;
  /** Size of a file that does not exist yet, in bytes. */
  readonly newBytes: number;
  /** The disk at that path, opened before privileges were dropped. */
  readonly held?: HeldDisk;
}

const MAX_STROKE_BYTES = 1 << 20;
/** 128 segments of a page each, what most drivers take in one request. */
const UNSPLIT_BYTES = 512 * 1024;

/** Larger than the caches of most CPUs, so that the time of an I/O grows with its size. */
const MEMORY_BYTES = 64 << 20;

/** A disk or file for I/O that bypasses the page cache. */
export class PaintTarget {
  /** Used in rotation. */
  private readonly memory = pageAligned(MEMORY_BYTES);
  private at = 0;

  constructor(
    readonly canvas: Canvas,
    private readonly fd: number,
    private readonly writes: boolean,
  ) {}

  /** Does one I/O and returns when it is complete. */
  stroke({ offset, bytes }: Stroke): void {
    if (this.writes) writeSync(this.fd, this.memory, this.at, bytes, offset);
    else readSync(this.fd, this.memory, this.at, bytes, offset);
    this.at = (this.at + MAX_STROKE_BYTES) % MEMORY_BYTES;
  }

  /** The first of the strokes that would overwrite data: bytes that are not zero. */
  dataUnder(strokes: Iterable<Stroke>): Stroke | undefined {
    for (const stroke of strokes) {
      const got = readSync(this.fd, this.memory, 0, stroke.bytes, stroke.offset);
      if (this.memory.subarray(0, got).some((byte) => byte !== 0)) return stroke;
    }
    this.memory.fill(0);
    return undefined;
  }

  dispose(): void {
    closeSync(this.fd);
  }
}

/** Opens an existing disk or file, or creates a file. A disk in use is never opened. */
export function openTarget(request: TargetRequest): Result<PaintTarget> {
  const { path, held, writes } = request;
  try {
    if (held === undefined) return openExisting(request);
    if ('code' in held) return err(refusal(path, held.code));
    return withCanvas(diskCanvas(fstatSync(held.fd).rdev), held.fd, writes);
  } catch (cause) {
    const code = codeOrThrow(cause);
    if (code === 'ENOENT' && !path.startsWith('/dev/')) return makeFile(request);
    return err(refusal(path, code));
  }
}

function openExisting({ path, writes }: TargetRequest): Result<PaintTarget> {
  const kind = statSync(path);
  if (!kind.isBlockDevice() && !kind.isFile())
    return err(failure(`${path} is neither a disk nor a regular file`));
  const { O_RDWR, O_RDONLY, O_DIRECT, O_NONBLOCK } = constants;
  const fileFlags = (writes ? O_RDWR : O_RDONLY) | O_DIRECT | O_NONBLOCK;
  const fd = openSync(path, kind.isBlockDevice() ? diskFlags(writes) : fileFlags);
  const stat = fstatSync(fd);
  if (stat.isBlockDevice()) return withCanvas(diskCanvas(stat.rdev), fd, writes);
  const isSparse = stat.blocks * 512 < stat.size;
  if (!isSparse || writes) return withCanvas(fileCanvas(stat.size), fd, writes);
  closeSync(fd);
  const why = 'reads of its holes do not reach a disk';
  return err(failure(`${path} is a sparse file`, why, 'use a file that does not exist yet'));
}

function withCanvas(canvas: Canvas, fd: number, writes: boolean): Result<PaintTarget> {
  if (canvas.bytes >= MAX_STROKE_BYTES) return ok(new PaintTarget(canvas, fd, writes));
  closeSync(fd);
  return err(failure('the target is smaller than 1 MB', undefined, 'use a larger one'));
}

/**
 * Blocks that were never written are not read from the disk, so the whole file is written first. It has lost its name
 * by then, so that it disappears however the program ends.
 */
function makeFile({ path, writes, newBytes }: TargetRequest): Result<PaintTarget> {
  const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW, O_DIRECT } = constants;
  let fd: number;
  try {
    fd = openSync(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_DIRECT, 0o600);
    rmSync(path);
  } catch (cause) {
    return err(refusal(path, codeOrThrow(cause)));
  }
  const target = new PaintTarget(fileCanvas(newBytes), fd, true);
  try {
    for (let offset = 0; offset < newBytes; offset += MAX_STROKE_BYTES)
      target.stroke({ offset, bytes: MAX_STROKE_BYTES });
    fsyncSync(fd);
    // The last write to a disk that becomes full is only shorter.
    if (fstatSync(fd).size < newBytes) {
      target.dispose();
      return err(refusal(path, 'ENOSPC'));
    }
  } catch (cause) {
    target.dispose();
    return err(refusal(path, codeOrThrow(cause)));
  }
  return ok(writes ? target : new PaintTarget(target.canvas, fd, false));
}

/** By the number of the disk: what the target is called may be the name of another one. */
function diskCanvas(rdev: number): Canvas {
  const folder = `/sys/dev/block/${deviceNumbers(rdev)}`;
  const sectors = numberIn(`${folder}/size`) ?? 0;
  const queue = (file: string): number | undefined =>
    numberIn(`${folder}/queue/${file}`) ?? numberIn(`${folder}/../queue/${file}`);
  return {
    bytes: sectors * 512,
    blockBytes: queue('logical_block_size') ?? 4096,
    maxBytes: Math.min(UNSPLIT_BYTES, (queue('max_sectors_kb') ?? 256) * 1024),
  };
}

function fileCanvas(bytes: number): Canvas {
  return { bytes, blockBytes: 4096, maxBytes: UNSPLIT_BYTES };
}

/** A number in a file of `/sys`; undefined when there is no such file. Partitions share the queue of their disk. */
function numberIn(path: string): number | undefined {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined;
    throw cause;
  }
}

function refusal(path: string, code: string): IoheatError {
  if (code === 'EBUSY')
    return failure(`${path} is in use`, 'it is mounted, or part of another device', 'use another');
  if (code === 'EACCES' || code === 'EPERM')
    return failure(`cannot open ${path}`, 'permission denied', remedyFor(path));
  if (code === 'EINVAL')
    return failure(
      `cannot bypass the page cache on ${path}`,
      'its file system does not support O_DIRECT',
    );
  if (code === 'ENOSPC')
    return failure(`no space for ${path}`, 'the disk is full', 'use a smaller --size');
  if (code === 'EROFS')
    return failure(`cannot open ${path}`, 'its file system is read-only', 'use another');
  if (code === 'ENOENT') return failure(`${path} does not exist`);
  return failure(`cannot open ${path}`, code);
}

/** What to do instead: root's privileges are used only for disks in `/dev`, and not to destroy data. */
function remedyFor(path: string): string {
  if (!path.startsWith('/dev/')) return 'use a disk in /dev, or a file of your own';
  return 'run with sudo; with --overwrite, in a root login';
}

function failure(what: string, why?: string, remedy?: string): IoheatError {
  return {
    exitCode: ExitCode.failed,
    what,
    ...(why !== undefined && { why }),
    ...(remedy !== undefined && { remedy }),
  };
}

/** Unbuffered I/O needs page-aligned memory, which only WebAssembly memory guarantees. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
};

/** The page size of WebAssembly, a multiple of the machine's. */
const PAGE_BYTES = 65_536;

/** Zeroed memory that starts on a page boundary; `bytes` is rounded up to 64 KiB. */
function pageAligned(bytes: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) }).buffer);
}
