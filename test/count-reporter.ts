import { accessSync, constants } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Where tracing is possible, a test that was skipped is a test that failed. */
export function canTraceHere(): boolean {
  try {
    accessSync('/sys/kernel/btf/vmlinux', constants.R_OK);
  } catch {
    return false;
  }
  return process.getuid?.() === 0;
}

/** Closes a run with one countable line, and refuses skipped tests on a machine that can trace. */
export class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    const skipped: string[] = [];
    for (const module of modules)
      for (const test of module.children.allTests()) {
        count[test.result().state]++;
        if (test.result().state === 'skipped') skipped.push(test.fullName);
      }
    process.stdout.write(
      `\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`,
    );
    if (skipped.length === 0 || !canTraceHere()) return;
    process.stdout.write(`skipped although this machine can trace:\n${skipped.join('\n')}\n`);
    process.exitCode = 1;
  }
}
