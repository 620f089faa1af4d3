import { defineConfig } from 'vitest/config';

/** Benchmarks are plain scripts that print figures; one at a time, or they would measure each other. */
export default defineConfig({
  test: {
    include: ['test/bench/**/*.bench.ts'],
    setupFiles: ['test/bench/plain-script.ts'],
    fileParallelism: false,
    disableConsoleIntercept: true,
    testTimeout: 0,
    hookTimeout: 0,
  },
});
