/** Properties of `process` that signal-exit replaces with its own. */
const PATCHED = ['emit', 'reallyExit'] as const;

type Listener = (...args: unknown[]) => void;

/**
 * Runs `action` and removes the listeners and hooks that it added to the process. Ink's signal-exit
 * listens for every fatal signal and replaces `process.emit` and `process.reallyExit`: next to another
 * library that does the same, SIGINT and SIGTERM no longer end the program, and the exit code can change.
 * Signals, exit code and terminal belong to the composition root alone.
 */
export function withoutProcessHooks<T>(action: () => T): T {
  const listeners = new Map(process.eventNames().map((event) => [event, listenersOf(event)]));
  const own = PATCHED.map((key) => Object.getOwnPropertyDescriptor(process, key));
  try {
    return action();
  } finally {
    for (const event of process.eventNames()) removeOthers(event, listeners.get(event) ?? []);
    PATCHED.forEach((key, index) => {
      restoreProperty(key, own[index]);
    });
  }
}

function listenersOf(event: string | symbol): Listener[] {
  return process.rawListeners(event) as Listener[];
}

function removeOthers(event: string | symbol, kept: readonly Listener[]): void {
  for (const listener of listenersOf(event))
    if (!kept.includes(listener)) process.removeListener(event, listener);
}

function restoreProperty(key: string, descriptor: PropertyDescriptor | undefined): void {
  if (descriptor === undefined) Reflect.deleteProperty(process, key);
  else Object.defineProperty(process, key, descriptor);
}
