import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import {
  claimedCases,
  filesOf,
  partOf,
  SUITE_PARTS,
  suiteTable,
  withSuiteTable,
  type PartFigures,
} from './suite-table.ts';

const README = 'README.md';

/** Where tests note how many I/Os they compared with the truth, while a run lasts. */
export const TRUTH_COUNTS = join(tmpdir(), `ioheat-truth-${process.pid}`);

/**
 * The README claims how many cases there are: a run of a whole part that has fewer fails. With
 * UPDATE_SUITE, a run of everything in which nothing failed writes the table anew.
 */
export class SuiteReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const figures = new Map<string, PartFigures>(
      SUITE_PARTS.map(({ name }) => [name, { cases: 0, seconds: 0, ios: 0 }]),
    );
    const ran = new Set<string>();
    let failed = 0;
    for (const module of modules) {
      const file = relative(process.cwd(), module.moduleId);
      const part = figures.get(partOf(file).name)!;
      ran.add(file);
      part.seconds += module.diagnostic().duration / 1000;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') part.cases++;
        if (state === 'failed') failed++;
      }
    }
    for (const [file, ios] of takeCounts()) figures.get(partOf(file).name)!.ios += ios;
    if (failed > 0) return;
    const whole = SUITE_PARTS.filter((part) => filesOf(part).every((file) => ran.has(file)));
    if (process.env['UPDATE_SUITE'] === undefined) refuseFewer(whole, figures);
    else if (whole.length === SUITE_PARTS.length)
      writeFileSync(README, withSuiteTable(readFileSync(README, 'utf8'), suiteTable(figures)));
  }
}

function takeCounts(): [file: string, ios: number][] {
  if (!existsSync(TRUTH_COUNTS)) return [];
  const lines = readFileSync(TRUTH_COUNTS, 'utf8').trim().split('\n');
  rmSync(TRUTH_COUNTS);
  return lines.map((line) => {
    const [path = '', ios] = line.split('\t');
    return [relative(process.cwd(), path), Number(ios)];
  });
}

function refuseFewer(
  parts: readonly { readonly name: string }[],
  figures: ReadonlyMap<string, PartFigures>,
): void {
  const claimed = claimedCases(readFileSync(README, 'utf8'));
  for (const { name } of parts) {
    const [said = 0, passed] = [claimed.get(name), figures.get(name)!.cases];
    if (passed >= said) continue;
    process.stdout.write(`the README claims ${said} cases of ${name}, ${passed} passed\n`);
    process.exitCode = 1;
  }
}
