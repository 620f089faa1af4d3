import { Control, Detail } from '../abi/layout.ts';

const CHANCE = (Control.offsets.detail + Detail.offsets.chance) / 4;
const SLOW_NS = (Control.offsets.detail + Detail.offsets.slowNs) / 8;
const EVERY_ONE = 2 ** 32;

/** Reads and writes, in the memory of the running programs, which I/Os they deliver individually. */
export class DetailControl {
  private readonly words: Uint32Array;
  private readonly longs: BigUint64Array;

  /** `control` is the mapped `struct control`. */
  constructor(control: ArrayBuffer) {
    this.words = new Uint32Array(control, 0, Control.bytes / 4);
    this.longs = new BigUint64Array(control, 0, Control.bytes / 8);
  }

  /** Of the I/Os that are neither slow nor failed, one in this many is delivered. */
  get oneIn(): number {
    const chance = Atomics.load(this.words, CHANCE);
    return chance === 0 ? 1 : EVERY_ONE / chance;
  }

  sample(oneIn: number): void {
    Atomics.store(this.words, CHANCE, oneIn > 1 ? EVERY_ONE / oneIn : 0);
  }

  /** I/Os that take at least this long are slow. */
  get slowNs(): number {
    return Number(Atomics.load(this.longs, SLOW_NS));
  }

  slowFrom(ns: number): void {
    Atomics.store(this.longs, SLOW_NS, BigInt(ns));
  }
}
