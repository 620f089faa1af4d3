import type { Random } from './random.ts';

const QUANTILES = 1024;

/** Latencies drawn from a table of quantiles: a draw takes one random number and no logarithm. */
export class Distribution {
  private readonly quantiles = new Float64Array(QUANTILES + 1);

  /** `quantile` maps a probability in (0, 1) to a value ≥ 0 and must not decrease. */
  constructor(quantile: (probability: number) => number) {
    for (let i = 0; i <= QUANTILES; i++) {
      this.quantiles[i] = quantile((i + 0.5) / (QUANTILES + 1));
    }
  }

  sample(random: Random): number {
    const at = random.next() * QUANTILES;
    const index = at | 0;
    const low = this.quantiles[index]!;
    return low + (at - index) * (this.quantiles[index + 1]! - low);
  }
}

/**
 * A log-logistic distribution, the shape of typical latencies: a hump with a long upper tail. One value in a hundred is
 * above `median * 100 ** spread`.
 */
export function around(median: number, spread: number): Distribution {
  return new Distribution((p) => median * (p / (1 - p)) ** spread);
}

export function between(low: number, high: number): Distribution {
  return new Distribution((p) => low + p * (high - low));
}

/** Draws from one of several distributions, chosen at random by share; shares add up to 1. */
export function mixture(parts: readonly (readonly [number, Distribution])[]): Mixture {
  return new Mixture(parts);
}

/** Separate from `Distribution`, because interpolating between two bands would fill the gap. */
export class Mixture {
  constructor(private readonly parts: readonly (readonly [number, Distribution])[]) {}

  sample(random: Random): number {
    let left = random.next();
    for (const [share, distribution] of this.parts) {
      if (left < share) return distribution.sample(random);
      left -= share;
    }
    return this.parts[this.parts.length - 1]![1].sample(random);
  }
}
