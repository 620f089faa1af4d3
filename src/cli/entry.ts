import type { ExitCode } from '../base/result.ts';
import { checkAddressSpace } from './address-space.ts';
import { complain } from './complain.ts';
import { failByBug } from './fail-by-bug.ts';
import { passEarly } from './power-gate.ts';

process.on('uncaughtException', failByBug);
process.exitCode = await start(process.argv.slice(2));

/** Little is loaded before power is dropped: as root nothing else is needed, and it is loaded again. */
async function start(argv: readonly string[]): Promise<ExitCode> {
  const space = checkAddressSpace();
  if (!space.ok) return complain(space.error);
  const passed = await passEarly(argv);
  if (!passed.ok) return complain(passed.error);
  const { main } = await import('./main.ts');
  return main(argv, passed.value);
}
