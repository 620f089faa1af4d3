import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import {
  partOf,
  SUITE_PARTS,
  suiteTable,
  withSuiteTable,
  type PartFigures,
} from './suite-table.ts';

const README = 'README.md';

/** Writes the table of the suite after a run in which nothing failed. It informs; nothing checks it. */
export class SuiteReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const figures = new Map<string, PartFigures>(
      SUITE_PARTS.map(({ name }) => [name, { cases: 0, seconds: 0, ios: 0 }]),
    );
    for (const module of modules) {
      const part = figures.get(partOf(relative(process.cwd(), module.moduleId)).name)!;
      part.seconds += module.diagnostic().duration / 1000;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'failed') return;
        if (state === 'passed') part.cases++;
        part.ios += test.meta().comparedIos ?? 0;
      }
    }
    writeFileSync(README, withSuiteTable(readFileSync(README, 'utf8'), suiteTable(figures)));
  }
}
