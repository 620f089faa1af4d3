import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { canTraceHere } from './needs.ts';

/**
 * Ends a run with the number of tests, and with one line for each reason to skip. Where the kernel can
 * be traced nothing may be skipped: a live test that no machine runs guards nothing. Tests that `-t` leaves out do not
 * count, although vitest reports them as skipped.
 */
export class SkipReporter implements Reporter {
  private readonly allowsSkips: boolean;
  private pattern: RegExp | undefined;

  constructor(allowsSkips = !canTraceHere()) {
    this.allowsSkips = allowsSkips;
  }

  onInit({ config }: Vitest): void {
    this.pattern = config.testNamePattern;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    const byReason = new Map<string, string[]>();
    for (const module of modules)
      for (const test of module.children.allTests()) {
        if (!this.isChosen(test)) continue;
        const { state } = test.result();
        count[state]++;
        if (state !== 'skipped') continue;
        const { lacks } = test.meta();
        const reason = lacks === undefined ? 'skipped by the test itself' : `needs ${lacks}`;
        byReason.set(reason, [...(byReason.get(reason) ?? []), test.fullName]);
      }
    const { passed, failed, skipped } = count;
    process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`);
    for (const [reason, names] of byReason)
      process.stdout.write(`skipped ${names.length} tests: ${reason}\n`);
    if (skipped === 0 || this.allowsSkips) return;
    const names = [...byReason.values()].flat().join('\n');
    process.stdout.write(`skipped although this machine can trace:\n${names}\n`);
    process.exitCode = 1;
  }
  /** vitest compares the pattern with the names of all suites and of the test, with spaces between. */
  private isChosen({ fullName }: TestCase): boolean {
    return this.pattern === undefined || this.pattern.test(fullName.replaceAll(' > ', ' '));
  }
}
