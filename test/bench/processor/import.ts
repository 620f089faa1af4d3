import { readFileSync } from 'node:fs';
import { openImport } from '../../../src/trace/import/open-import.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { must } from '../../must.ts';
import { bestMs } from '../support/best-ms.ts';

/**
 * Lines of other tools' logs that are read in a second of processor time: real output, repeated to
 * `BYTES`, the best of several rounds, so that other load on the machine disturbs little.
 *
 *   npm run bench -- import
 */
const BYTES = 32 << 20;
const PIECE_BYTES = 1 << 16;
const ROUNDS = 5;
const TOOLS = [
  'biosnoop-libbpf-queued',
  'biosnoop-bpftrace',
  'blkparse',
  'ftrace-trace',
  'perf-script',
  'trace-cmd-report',
];

/** Rows of a log whose one part comes again and again, as a stream. */
function importRepeated(part: Buffer, parts: number): number {
  let left = parts;
  const next = () => (left-- > 0 ? part : ('ended' as const));
  const first = new Uint8Array(0);
  const opened = must(openImport({ kind: 'bytes', first, next }, new IdentityTable()));
  let rows = 0;
  for (;;) {
    const chunk = opened.next();
    if (typeof chunk === 'string') return rows;
    rows += chunk.rows.length;
  }
}

for (const tool of TOOLS) {
  const fixture = readFileSync(`test/trace/import/fixtures/${tool}.txt`);
  const part = Buffer.concat(
    Array.from({ length: Math.ceil(PIECE_BYTES / fixture.length) }, () => fixture),
  );
  const lines = part.filter((byte) => byte === 0x0a).length;
  const parts = Math.ceil(BYTES / part.length);
  let rows = 0;
  const best =
    bestMs(ROUNDS, () => {
      rows = importRepeated(part, parts);
    }) / 1e3;
  const perSecond = (count: number) => `${(count / best / 1e3).toFixed(0)}k`;
  const megabytes = ((part.length * parts) / best / 1e6).toFixed(0);
  process.stdout.write(
    `${tool}: ${perSecond(lines * parts)} lines, ${perSecond(rows)} I/Os, ${megabytes} MB a second\n`,
  );
}
