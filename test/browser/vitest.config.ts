import { defineConfig } from 'vitest/config';

/** A browser and its start share few processors badly with other tests. */
export default defineConfig({
  test: {
    include: ['test/browser/*.check.ts'],
    env: { TZ: 'UTC' },
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
