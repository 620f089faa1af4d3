import { describe, expect, it } from 'vitest';
import type { Scene } from './fixtures.ts';
import { COLOR, draw, planes } from './fixtures.ts';

const SCENES: Readonly<Record<string, Scene>> = {
  'two-bands-log': { pattern: 'two-bands', seconds: 90, width: 80, height: 22 },
  'two-bands-linear': {
    pattern: 'two-bands',
    seconds: 90,
    width: 80,
    height: 22,
    spec: { scale: 'linear' },
  },
  'two-bands-grey': {
    pattern: 'two-bands',
    seconds: 90,
    width: 80,
    height: 14,
    style: { ...COLOR, palette: 'grey' },
  },
  'outlier-row': {
    pattern: 'shouting',
    seconds: 70,
    width: 100,
    height: 16,
    spec: { outlierCut: 0.01 },
  },
  utilization: {
    pattern: 'pterodactyl',
    seconds: 60,
    width: 80,
    height: 18,
    spec: { metric: 'utilization' },
  },
  size: { pattern: 'mixed', seconds: 60, width: 80, height: 18, spec: { metric: 'size' } },
  offset: { pattern: 'offsets', seconds: 45, width: 80, height: 18, spec: { metric: 'offset' } },
  'weighed-by-time': {
    pattern: 'shouting',
    seconds: 70,
    width: 100,
    height: 16,
    spec: { weight: 'time' },
  },
  'weighed-by-bytes': {
    pattern: 'mixed',
    seconds: 60,
    width: 80,
    height: 18,
    spec: { metric: 'size', weight: 'bytes' },
  },
  zoomed: {
    pattern: 'two-bands',
    seconds: 90,
    width: 80,
    height: 22,
    spec: { valueRange: { low: 4e6, high: 6e6 } },
  },
  mono: {
    pattern: 'two-bands',
    seconds: 60,
    width: 64,
    height: 14,
    style: { ...COLOR, palette: 'mono' },
  },
  frozen: { pattern: 'two-bands', seconds: 90, width: 80, height: 12, frozenAtNs: 40.5e9 },
  narrow: { pattern: 'mixed', seconds: 60, width: 40, height: 6, spec: { outlierCut: 0.01 } },
  'nothing-yet': { pattern: 'mixed', seconds: 0, width: 64, height: 10 },
  'ascii-in-colour': {
    pattern: 'two-bands',
    seconds: 60,
    width: 64,
    height: 14,
    style: { palette: 'spectrum', unicode: false, color: true },
  },
  'ascii-without-colour': {
    pattern: 'shouting',
    seconds: 60,
    width: 64,
    height: 14,
    style: { palette: 'spectrum', unicode: false, color: false },
    spec: { outlierCut: 0.01 },
  },
  'unicode-without-colour': {
    pattern: 'two-bands',
    seconds: 60,
    width: 64,
    height: 14,
    style: { palette: 'spectrum', unicode: true, color: false },
  },
};

describe('picture of', () => {
  for (const [name, scene] of Object.entries(SCENES)) {
    it(`the picture of ${name.replaceAll('-', ' ')} looks right`, async () => {
      const { block } = draw(scene);
      const text = planes(block, scene.style?.palette);
      await expect(text).toMatchFileSnapshot(`../../snapshots/raster/${name}.txt`);
    });
  }
});
