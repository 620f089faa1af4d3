import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EPOCH_NS, epochSpan, EPOCHS } from '../../src/kernel/counts/epochs.ts';

describe('when the completions of an epoch slot happened', () => {
  it('completions in an epoch slot happened within that epoch, for a reader that looks often enough', () => {
    fc.assert(
      fc.property(
        fc.nat(1e15),
        fc.double({ min: 0, max: EPOCH_NS * (EPOCHS - 1), noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (since, gap, where) => {
          const until = since + gap;
          const event = since + where * gap;
          const epoch = Math.floor(event / EPOCH_NS);
          const { startNs, endNs } = epochSpan(epoch % EPOCHS, since, until);
          expect(startNs).toBeLessThanOrEqual(event);
          expect(endNs).toBeGreaterThanOrEqual(event);
          expect(startNs).toBeGreaterThanOrEqual(epoch * EPOCH_NS);
          expect(endNs).toBeLessThanOrEqual((epoch + 1) * EPOCH_NS);
        },
      ),
    );
  });

  it('after a wrap of the epoch slots, completions happened somewhere in the whole gap', () => {
    const since = 5.5 * EPOCH_NS;
    const until = since + 20 * EPOCH_NS;
    for (let slot = 0; slot < EPOCHS; slot++) {
      expect(epochSpan(slot, since, until)).toEqual({ startNs: since, endNs: until });
    }
  });

  it('when the last completion was counted late, completions happened in the epoch before', () => {
    const since = 8 * EPOCH_NS + 10;
    expect(epochSpan(7, since, since + 1e6)).toEqual({
      startNs: 7 * EPOCH_NS,
      endNs: 8 * EPOCH_NS,
    });
  });
});
