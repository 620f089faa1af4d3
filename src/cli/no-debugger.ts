/** A signal takes a turn or two of the event loop to become a debugger. */
const LOOK_AGAIN_MS = 100;

/**
 * Node opens its debugger on a local port for whoever sends SIGUSR1, until somebody listens to that
 * signal; one that has come before is undone. Not where the debugger was asked for by an option.
 */
export function keepDebuggerClosed(): void {
  process.on('SIGUSR1', ignore);
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
