import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ColumnRing, columnOf } from '../../../src/history/window/column-ring.ts';
import { SlotFinder } from '../../../src/history/window/slot-finder.ts';

fc.configureGlobal({ seed: 20_101_122, endOnFailure: true });

const COLUMN_NS = 10;
const COLUMNS = 4;

class Ring extends ColumnRing {
  protected emptySlot(): void {
    // It has no data.
  }
}

const anyTime = fc.integer({ min: -20, max: 120 });

it('rows in any order get the slot of their column, and none outside the window or the selection', () => {
  fc.assert(
    fc.property(fc.nat(8), anyTime, anyTime, fc.array(anyTime), (first, fromNs, toNs, times) => {
      const ring = new Ring(COLUMNS, COLUMN_NS, first * COLUMN_NS);
      const slots = new SlotFinder(ring, fromNs, toNs);
      let { slot, startNs, endNs } = slots;
      for (const atNs of times) {
        if (!(atNs >= startNs && atNs < endNs)) {
          slots.moveTo(atNs);
          ({ slot, startNs, endNs } = slots);
        }
        const isSelected = atNs >= fromNs && atNs < toNs;
        expect(slot).toBe(isSelected ? ring.slotOf(columnOf(atNs, COLUMN_NS)) : -1);
      }
    }),
  );
});
