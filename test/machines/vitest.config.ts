import { defineConfig } from 'vitest/config';

/** One guest at a time: two emulated machines share two real processors badly. */
export default defineConfig({
  test: {
    include: ['test/machines/*.check.ts'],
    env: { TZ: 'UTC' },
    fileParallelism: false,
    testTimeout: 0,
    hookTimeout: 0,
  },
});
