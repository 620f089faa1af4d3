import { leaveStandardTerminals } from '../terminal/standard-terminals.ts';
import { checkAddressSpace } from './address-space.ts';
import { complain } from './complain.ts';
import { exitAtOnce } from './exit-at-once.ts';
import { failByBug } from './fail-by-bug.ts';
import { ignoreSignals } from './ignored-signals.ts';
import { passEarly } from './power-gate.ts';

/** What still waits then does so for a disk or a terminal that does not answer. */
const LINGER_MS = 1000;

ignoreSignals();
process.on('uncaughtException', failByBug);
process.on('exit', leaveStandardTerminals);
const exitCode = await start(process.argv.slice(2));
process.exitCode = exitCode;
setTimeout(() => void exitAtOnce(exitCode), LINGER_MS).unref();

/** Little is loaded before power is dropped: as root nothing else is needed, and it is loaded again. */
async function start(argv: readonly string[]): Promise<number> {
  const space = checkAddressSpace();
  if (!space.ok) return complain(space.error);
  const passed = await passEarly(argv);
  if (!passed.ok) return complain(passed.error);
  const { main } = await import('./main.ts');
  return main(argv, passed.value);
}
