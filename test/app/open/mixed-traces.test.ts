import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { mixedDates, mixedLatencies } from '../../../src/app/open/mixed-traces.ts';
import { openTraces } from '../../../src/app/open/open-traces.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { must } from '../../must.ts';

const DIVIDED = `TIME(s)     COMM           PID    DISK      T SECTOR     BYTES  LAT(ms)
0.000000    dd             892    vda       R 2048       4096      0.25
`;
const TOTAL = `TIME(ms)     COMM           PID    LAT(ms)
611          bash           4179        10
`;

it('traces with total latencies alone are not combined with others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ioheat-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const refusalOf = async (...logs: readonly string[]) => {
    const files = logs.map((log, i) => {
      const file = join(folder, `${i}.log`);
      writeFileSync(file, log);
      return file;
    });
    const traces = must(await openTraces(files, new IdentityTable()));
    for (const { reader } of traces) reader.dispose();
    return mixedDates(traces) ?? mixedLatencies(traces);
  };
  expect(await refusalOf(TOTAL, TOTAL)).toBeUndefined();
  expect(await refusalOf(DIVIDED, DIVIDED)).toBeUndefined();
  expect(await refusalOf(DIVIDED, TOTAL)).toMatchObject({
    what: 'cannot combine 0.log and 1.log',
    why: 'only one of them has device times, the other has total latencies alone',
  });
});
