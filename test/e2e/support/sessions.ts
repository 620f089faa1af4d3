import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { ensureBuilt, IOHEAT } from '../build.ts';
import { startIoheat, startPty } from '../pty.ts';
import type { PtyOptions, PtySession } from '../pty.ts';

/** What a shell types to run the built ioheat. */
export const COMMAND = `'${process.execPath}' '${IOHEAT}'`;

export interface Sessions {
  readonly ioheat: (args: readonly string[], options?: PtyOptions) => PtySession;
  /** A script for bash, in which `$IOHEAT` runs the program. */
  readonly bash: (script: string, options?: PtyOptions) => PtySession;
}

/**
 * Terminals that are closed after each test, however it ends. Nobody has kept settings in the home
 * that the programs find.
 */
export function useSessions(): Sessions {
  const open: PtySession[] = [];
  let home = '';
  const atHome = (options: PtyOptions = {}): PtyOptions => ({
    ...options,
    env: { HOME: home, ...options.env },
  });
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'ioheat-home-'));
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((session) => session.dispose()));
    rmSync(home, { recursive: true });
  });
  const keep = (session: PtySession): PtySession => {
    open.push(session);
    return session;
  };
  return {
    // A key that writes a file must not write it here.
    ioheat: (args, options) => keep(startIoheat(args, { cwd: home, ...atHome(options) })),
    bash: (script, options) => {
      ensureBuilt();
      const text = script.replaceAll('$IOHEAT', COMMAND);
      return keep(startPty('/bin/bash', ['--norc', '-c', text], atHome(options)));
    },
  };
}
