import { constants, openSync, readFileSync, writeFileSync } from 'node:fs';
import { packDevice } from '../../src/model/device.ts';
import { SystemError } from './system.ts';

const CONTROL = '/sys/class/zram-control';

/** A volume of our own: a disk in memory that takes bios and makes no requests. It goes with this process. */
export class ZramDevice {
  private readonly removeAtExit = (): void => {
    this.dispose();
  };

  private constructor(
    private readonly id: number,
    readonly dev: number,
  ) {
    process.once('exit', this.removeAtExit);
  }

  static create(bytes: number): ZramDevice {
    const id = Number(readFileSync(`${CONTROL}/hot_add`, 'latin1'));
    const [major, minor] = readFileSync(`/sys/block/zram${id}/dev`, 'latin1')
      .split(':')
      .map(Number);
    const device = new ZramDevice(id, packDevice(major!, minor!));
    writeFileSync(`/sys/block/zram${id}/disksize`, String(bytes));
    return device;
  }

  get name(): string {
    return `zram${this.id}`;
  }

  get path(): string {
    return `/dev/${this.name}`;
  }

  /** Unbuffered, so that each call is one I/O. */
  openDirect(flags = 0): number {
    return openSync(this.path, constants.O_RDWR | constants.O_DIRECT | flags);
  }

  /** Whoever closed it last may still hold it for a moment. */
  dispose(): void {
    process.off('exit', this.removeAtExit);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        writeFileSync(`${CONTROL}/hot_remove`, String(this.id));
        return;
      } catch (cause) {
        if (!(cause instanceof Error && 'code' in cause && cause.code === 'EBUSY')) throw cause;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      }
    }
    throw new SystemError('hot_remove', 16);
  }
}

const ATTEMPTS = 1000;
