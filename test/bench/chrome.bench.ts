import { join } from 'node:path';
import type { LongRunReport } from '../ui/fixtures/long-run.ts';
import { runInProduction } from '../ui/fixtures/production-program.ts';

/**
 * Cost of the chrome at 200×50 when every figure on it changes: ms per update of header, tables and
 * status line, and what 20,000 updates leave behind in memory. Run from the project's folder.
 */
const UPDATES = '20000';
const entry = join(process.cwd(), 'test/ui/fixtures/long-run.ts');

const { stdout } = await runInProduction(entry, [UPDATES]);
const report = JSON.parse(stdout) as LongRunReport;
process.stdout.write(
  [
    `chrome 200×50, ${report.updates} updates`,
    `  one update: median ${report.medianMs.toFixed(2)} ms, processor ${report.cpuMs.toFixed(2)} ms`,
    `  growth per update: heap ${report.heapBytes.toFixed(1)} B, outside ${report.externalBytes.toFixed(1)} B`,
    '',
  ].join('\n'),
);
