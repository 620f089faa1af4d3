import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/bench/**', 'node_modules/**'],
    // chalk reads the colour level when it is imported; colour snapshots need one that is fixed.
    env: { FORCE_COLOR: '2', TZ: 'UTC' },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
