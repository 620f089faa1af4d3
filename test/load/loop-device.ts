import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import koffi from 'koffi';
import { packDevice } from '../../src/model/device.ts';
import { ioctl, SystemError } from './system.ts';

const LOOP_CLR_FD = 0x4c01;
const LOOP_CONFIGURE = 0x4c0a;
const LOOP_CTL_GET_FREE = 0x4c82;
const LOOP_SET_CAPACITY = 0x4c07;
const LO_FLAGS_READ_ONLY = 1;
const LO_FLAGS_AUTOCLEAR = 4;
const LO_FLAGS_PARTSCAN = 8;
const LO_FLAGS_DIRECT_IO = 16;
/** `struct loop_config`: fd, block size, `struct loop_info64` with its flags at 52, reserved. */
const CONFIG_BYTES = 304;
const CONFIG_FLAGS_AT = 8 + 52;

const BLKDISCARD = 0x1277;
const BLKZEROOUT = 0x127f;
const BLKPG = 0x1269;
const BLKPG_ADD_PARTITION = 1;
/** `struct blkpg_partition`: start, length, number, two names. */
const BLKPG_BYTES = 152;

export interface AttachOptions {
  /** Bypasses the page cache of the backing file, which lets requests run side by side. */
  readonly directIo?: boolean;
  /** Looks for partitions, now and whenever they change. */
  readonly partitions?: boolean;
  /** Size of a sector; 512 by default. */
  readonly sectorBytes?: number;
  readonly readOnly?: boolean;
}

export interface LoopOptions extends AttachOptions {
  readonly bytes: number;
  /** Where the backing file lies; memory by default, so that the disk below stays quiet. */
  readonly folder?: string;
  /** What the backing file's name ends with; any bytes but `/` and NUL. */
  readonly suffix?: Uint8Array;
}

let created = 0;

/** A disk of our own. It detaches itself when the last descriptor closes, even if this process dies. */
export class LoopDevice {
  private readonly undo: (() => void)[] = [];

  private constructor(
    readonly path: string,
    readonly dev: number,
    readonly bytes: number,
    private readonly fd: number,
    /** Removed with the device; undefined when the file is somebody else's. */
    private readonly ownFile: Buffer | undefined,
  ) {}

  static create(options: LoopOptions): LoopDevice {
    const { bytes, folder = '/dev/shm', suffix = Buffer.from('.img') } = options;
    const stem = join(folder, `ioheat-test-${process.pid}-${created++}`);
    const backingPath = Buffer.concat([Buffer.from(stem), suffix]);
    const backing = openSync(backingPath, 'w+', 0o600);
    try {
      ftruncateSync(backing, bytes);
      const { path, fd } = attachFree(backing, options);
      return new LoopDevice(path, blockDeviceNumber(fd), bytes, fd, backingPath);
    } catch (cause) {
      rmSync(backingPath);
      throw cause;
    } finally {
      closeSync(backing);
    }
  }

  /** On a file that is there, and stays. */
  static over(backingPath: string, options: AttachOptions = {}): LoopDevice {
    const backing = openSync(backingPath, 'r+');
    try {
      const { size } = fstatSync(backing);
      const { path, fd } = attachFree(backing, options);
      return new LoopDevice(path, blockDeviceNumber(fd), size, fd, undefined);
    } finally {
      closeSync(backing);
    }
  }

  get name(): string {
    return basename(this.path);
  }

  /** Unbuffered, so that each call is one I/O. */
  openDirect(flags = 0): number {
    return openSync(this.path, constants.O_RDWR | constants.O_DIRECT | flags);
  }

  /** Sets `/sys/block/loopN/queue/FILE` until this device is disposed: such settings outlive a detach. */
  setQueue(file: string, value: string): void {
    const path = `/sys/block/${this.name}/queue/${file}`;
    const before = readFileSync(path, 'utf8');
    // Of several choices, the one in brackets counts.
    this.undo.push(() => {
      writeFileSync(path, /\[(.+)\]/.exec(before)?.[1] ?? before);
    });
    writeFileSync(path, value);
  }

  hasScheduler(name: string): boolean {
    return readFileSync(`/sys/block/${this.name}/queue/scheduler`, 'utf8').includes(name);
  }

  /** Shortens the backing file: what lies beyond can no longer be read. */
  truncateBacking(bytes: number): void {
    truncateSync(this.ownFile!, bytes);
  }

  /** Changes the size of backing file and disk. */
  resize(bytes: number): void {
    truncateSync(this.ownFile!, bytes);
    ioctl('LOOP_SET_CAPACITY', this.fd, LOOP_SET_CAPACITY, 0);
  }

  discard(offset: number, bytes: number): void {
    ioctl('BLKDISCARD', this.fd, BLKDISCARD, rangeOf(offset, bytes));
  }

  /** Without data: one request says that so many bytes are zero. */
  zeroOut(offset: number, bytes: number): void {
    ioctl('BLKZEROOUT', this.fd, BLKZEROOUT, rangeOf(offset, bytes));
  }

  /** As `losetup -P` and partx do, but without a table, which not every kernel can read. */
  addPartition(number: number, start: number, bytes: number): void {
    const partition = Buffer.alloc(BLKPG_BYTES);
    partition.writeBigInt64LE(BigInt(start), 0);
    partition.writeBigInt64LE(BigInt(bytes), 8);
    partition.writeInt32LE(number, 16);
    const order = Buffer.alloc(24);
    order.writeInt32LE(BLKPG_ADD_PARTITION, 0);
    order.writeInt32LE(BLKPG_BYTES, 8);
    order.writeBigUInt64LE(koffi.address(partition), 16);
    ioctl('BLKPG', this.fd, BLKPG, order);
  }

  dispose(): void {
    this.undo
      .splice(0)
      .reverse()
      .forEach((undo) => {
        undo();
      });
    ioctl('LOOP_CLR_FD', this.fd, LOOP_CLR_FD, 0);
    closeSync(this.fd);
    if (this.ownFile !== undefined) rmSync(this.ownFile);
  }
}

function rangeOf(offset: number, bytes: number): Buffer {
  const range = Buffer.alloc(16);
  range.writeBigUInt64LE(BigInt(offset), 0);
  range.writeBigUInt64LE(BigInt(bytes), 8);
  return range;
}

const ATTEMPTS = 16;

/** Somebody else may take the free device first; then there is another one. */
function attachFree(backing: number, options: AttachOptions): { path: string; fd: number } {
  const control = openSync('/dev/loop-control', 'r+');
  try {
    for (let attempt = 1; ; attempt++) {
      const path = `/dev/loop${ioctl('LOOP_CTL_GET_FREE', control, LOOP_CTL_GET_FREE, 0)}`;
      const fd = openSync(path, 'r+');
      try {
        configure(fd, backing, options);
        return { path, fd };
      } catch (cause) {
        closeSync(fd);
        const taken = cause instanceof SystemError && cause.code === 'EBUSY';
        if (!taken || attempt === ATTEMPTS) throw cause;
      }
    }
  } finally {
    closeSync(control);
  }
}

function configure(fd: number, backing: number, options: AttachOptions): void {
  const config = Buffer.alloc(CONFIG_BYTES);
  config.writeUInt32LE(backing, 0);
  config.writeUInt32LE(options.sectorBytes ?? 0, 4);
  const flags =
    LO_FLAGS_AUTOCLEAR |
    (options.readOnly === true ? LO_FLAGS_READ_ONLY : 0) |
    (options.directIo === true ? LO_FLAGS_DIRECT_IO : 0) |
    (options.partitions === true ? LO_FLAGS_PARTSCAN : 0);
  config.writeUInt32LE(flags, CONFIG_FLAGS_AT);
  ioctl('LOOP_CONFIGURE', fd, LOOP_CONFIGURE, config);
}

/** From the encoding of user space (`makedev`) to the kernel's own. */
function blockDeviceNumber(fd: number): number {
  const { rdev } = fstatSync(fd);
  const major = (rdev >>> 8) & 0xfff;
  const minor = (rdev & 0xff) | ((rdev >>> 12) & 0xfff00);
  return packDevice(major, minor);
}
