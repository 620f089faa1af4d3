import { execFileSync } from 'node:child_process';
import { CLICKHOUSE } from '../../needs.ts';

const MOST_BYTES = 2 ** 26;
const PROGRAM = `
const { query } = require(process.argv[1]);
process.stdout.write(query(process.argv[2], 'JSONEachRow'));
`;

/** The rows of a statement of ClickHouse, whose files are in `folder`; in a process of its own, as it looks in its own folder. */
export function queryClickHouse(folder: string, sql: string): Record<string, unknown>[] {
  const printed = execFileSync(process.execPath, ['-e', PROGRAM, CLICKHOUSE ?? '', sql], {
    ...{ cwd: folder, encoding: 'utf8', maxBuffer: MOST_BYTES },
  });
  return printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
