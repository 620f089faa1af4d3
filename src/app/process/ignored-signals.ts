/** Node opens the debugger some turns of the event loop after the signal: a single look after 100 ms may be too early. */
const LOOK_EVERY_MS = 50;
const LOOKS = 20;

/**
 * Signals without meaning here. Node ignores SIGXFSZ by itself, but only until somebody has listened to
 * it for a while, as Ink does when it draws: after that, reaching a file size limit would end the program.
 */
export function ignoreSignals(): void {
  process.on('SIGXFSZ', ignore);
  process.on('SIGUSR1', ignore);
  keepDebuggerClosed();
}

/**
 * Node opens its debugger on a local port for anyone who sends SIGUSR1, unless something listens to that
 * signal. One that is already open is closed, unless an option asked for it.
 */
function keepDebuggerClosed(): void {
  const words = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''];
  if (!process.features.inspector || words.some((word) => word.includes('--inspect'))) return;
  void closeDebugger();
  let looks = 0;
  const timer = setInterval(() => {
    void closeDebugger();
    if (++looks === LOOKS) clearInterval(timer);
  }, LOOK_EVERY_MS).unref();
}

async function closeDebugger(): Promise<void> {
  const { default: inspector } = await import('node:inspector');
  if (inspector.url() !== undefined) inspector.close();
}

function ignore(): void {
  return undefined;
}
