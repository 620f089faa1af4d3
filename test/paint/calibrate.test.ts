import { expect, it } from 'vitest';
import { calibrate, sizesToTry } from '../../src/paint/calibrate.ts';
import type { PaintClock } from '../../src/paint/painter.ts';

const SIZES = [512, 4096, 65_536];

/** A clock that only the waiting moves, for as long as it is allowed to. */
function clockFor(waits = Infinity): PaintClock & { ns: bigint } {
  let left = waits;
  return {
    ns: 0n,
    nowNs() {
      return this.ns;
    },
    waitUntil(atNs: bigint) {
      this.ns = atNs;
      return Promise.resolve(left-- > 0);
    },
  };
}

it('a busy moment of the machine does not make one I/O size seem slower than another', async () => {
  const clock = clockFor();
  const isBusy = (): boolean => clock.ns < 150_000_000n;
  const costs = await calibrate(SIZES, (bytes) => bytes * 10 + (isBusy() ? 1e6 : 0), clock);
  expect(costs).toEqual(SIZES.map((bytes) => ({ bytes, ns: bytes * 10 })));
});

it('calibration tries all I/O sizes equally often, in turns', async () => {
  const tried: number[] = [];
  await calibrate(SIZES, (bytes) => tried.push(bytes), clockFor());
  expect(tried.slice(0, 6)).toEqual(SIZES.flatMap((bytes) => [bytes, bytes]));
  for (const size of SIZES)
    expect(tried.filter((bytes) => bytes === size)).toHaveLength(tried.length / SIZES.length);
});

it('calibration ends when asked to', async () => {
  expect(await calibrate(SIZES, () => 1, clockFor(2))).toBeUndefined();
});

it('calibration tries sizes from a block to the largest that is not split', () => {
  const canvas = { bytes: 1 << 30, blockBytes: 4096, maxBytes: 40_000 };
  expect(sizesToTry(canvas)).toEqual([4096, 8192, 16_384, 32_768]);
});
