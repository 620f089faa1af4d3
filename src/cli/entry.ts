import { leaveStandardTerminals } from '../terminal/standard-terminals.ts';
import { checkAddressSpace } from '../app/process/address-space.ts';
import { complain } from '../app/process/complain.ts';
import { exitAtOnce } from '../app/process/exit-at-once.ts';
import { failByBug } from '../app/process/fail-by-bug.ts';
import { ignoreSignals } from '../app/process/ignored-signals.ts';
import { passEarly } from '../app/privilege/privilege-gate.ts';

/**
 * Time to wait for pending operations at the end: what takes longer waits for a disk or a terminal that does not
 * answer.
 */
const LINGER_MS = 1000;

ignoreSignals();
process.on('uncaughtException', failByBug);
process.on('exit', leaveStandardTerminals);
const exitCode = await start(process.argv.slice(2));
process.exitCode = exitCode;
setTimeout(() => void exitAtOnce(exitCode), LINGER_MS).unref();

/** Loads little before privileges are dropped: the program is loaded again afterwards. */
async function start(argv: readonly string[]): Promise<number> {
  const space = checkAddressSpace();
  if (!space.ok) return complain(space.error);
  const passed = await passEarly(argv);
  if (!passed.ok) return complain(passed.error);
  const { main } = await import('./main.ts');
  return main(argv, passed.value);
}
