import { Control, Detail } from '../abi/layout.ts';

const { chance: CHANCE, slowNs: SLOW_NS } = Detail.offsets;
const EVERY_ONE = 2 ** 32;

/** Reads and writes, in the memory of the running programs, which I/Os of disks and volumes, or which calls, they deliver. */
export class DetailControl {
  private readonly words: Uint32Array;
  private readonly longs: BigUint64Array;

  /** `control` is the mapped `struct control`. */
  constructor(control: ArrayBuffer, of: 'devices' | 'calls' = 'devices') {
    const at = of === 'calls' ? Control.offsets.callDetail : Control.offsets.detail;
    this.words = new Uint32Array(control, at, Detail.bytes / 4);
    this.longs = new BigUint64Array(control, at, Detail.bytes / 8);
  }

  /** Of the I/Os that are neither slow nor failed, one in this many is delivered. */
  get oneIn(): number {
    const chance = Atomics.load(this.words, CHANCE / 4);
    return chance === 0 ? 1 : EVERY_ONE / chance;
  }

  sample(oneIn: number): void {
    Atomics.store(this.words, CHANCE / 4, oneIn > 1 ? EVERY_ONE / oneIn : 0);
  }

  /** I/Os that take at least this long are slow. */
  get slowNs(): number {
    return Number(Atomics.load(this.longs, SLOW_NS / 8));
  }

  slowFrom(ns: number): void {
    Atomics.store(this.longs, SLOW_NS / 8, BigInt(ns));
  }
}
