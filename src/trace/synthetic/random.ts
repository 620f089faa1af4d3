/**
 * SplitMix32: a counter and a mixing function, so that seeding takes no time and a number takes a few integer
 * operations. Good enough for pictures; not for secrets.
 */
export class Random {
  private state = 0;

  /** Restarts the sequence of this pair of integers. */
  reseed(seed: number, stream: number): void {
    this.state = mix((seed | 0) ^ mix((stream | 0) + 0x632be5ab));
  }

  /** Uniform in [0, 1). */
  next(): number {
    this.state = (this.state + 0x9e3779b9) | 0;
    return (mix(this.state) >>> 0) / 0x1_0000_0000;
  }

  /** Uniform integer in [0, bound). */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  /** `expected` rounded up or down at random, so that the mean over many calls is exact. */
  count(expected: number): number {
    return Math.floor(expected + this.next());
  }
}

function mix(value: number): number {
  const a = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
  const b = Math.imul(a ^ (a >>> 15), 0x735a2d97);
  return b ^ (b >>> 15);
}
