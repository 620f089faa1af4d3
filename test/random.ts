import { Random } from '../src/trace/synthetic/random.ts';

/** The random numbers of the tests: seeded, the same on every machine. */
export class SeededRandom extends Random {
  constructor(seed: number, stream = 0) {
    super();
    this.reseed(seed, stream);
  }

  /** A whole number in [from, to]. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}
