import { defineConfig } from 'vitest/config';
import { SkipReporter } from './test/skip-reporter.ts';
import { SuiteReporter } from './test/suite-reporter.ts';

// Figures about the suite are information: written into README.md on request, and never checked.
const suite = process.env['UPDATE_SUITE'] === undefined ? [] : [new SuiteReporter()];

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/bench/**', 'node_modules/**'],
    reporters: ['default', new SkipReporter(), ...suite],
    // chalk reads the colour level when it is imported; colour snapshots need one that is fixed.
    env: { FORCE_COLOR: '2', TZ: 'UTC' },
    // Tests that trace the kernel or fill a disk disturb each other's counts and two cores at once.
    fileParallelism: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
