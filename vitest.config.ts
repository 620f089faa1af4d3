import { defineConfig } from 'vitest/config';
import { CountReporter } from './test/count-reporter.ts';
import { SuiteReporter, TRUTH_COUNTS } from './test/suite-reporter.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/bench/**', 'node_modules/**'],
    reporters: ['default', new CountReporter(), new SuiteReporter()],
    // chalk reads the colour level when it is imported; colour snapshots need one that is fixed.
    env: { FORCE_COLOR: '2', TZ: 'UTC', TRUTH_COUNTS },
    // Tests that trace the kernel or fill a disk disturb each other's counts and two cores at once.
    fileParallelism: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
