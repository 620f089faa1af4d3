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
    // Ends what hangs, and says nothing about speed: a property test takes 17 s alone, and more on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
