import { parseArgs } from './args.ts';

const t0 = performance.now();
const parsed = await parseArgs(process.argv.slice(2), '0.1.0');
process.stdout.write(
  `${JSON.stringify(parsed.ok)} parse ${performance.now() - t0} since start ${performance.now()}\n`,
);
