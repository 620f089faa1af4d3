/** A signal takes a turn or two of the event loop to become a debugger. */
const LOOK_AGAIN_MS = 100;

/**
 * Signals that mean nothing here. SIGXFSZ Node ignores by itself, but only until somebody has listened
 * to it for a while, as Ink does when it draws: then a file that may grow no more would end the program.
 */
export function ignoreSignals(): void {
  process.on('SIGXFSZ', ignore);
  process.on('SIGUSR1', ignore);
  keepDebuggerClosed();
}

/**
 * Node opens its debugger on a local port for whoever sends SIGUSR1, until somebody listens to that
 * signal; one that has come before is undone. Not where the debugger was asked for by an option.
 */
function keepDebuggerClosed(): void {
  const words = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''];
  if (!process.features.inspector || words.some((word) => word.includes('--inspect'))) return;
  void closeDebugger();
  setTimeout(() => void closeDebugger(), LOOK_AGAIN_MS).unref();
}

async function closeDebugger(): Promise<void> {
  const { default: inspector } = await import('node:inspector');
  if (inspector.url() !== undefined) inspector.close();
}

function ignore(): void {
  return undefined;
}
