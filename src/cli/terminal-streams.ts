import type { ReadStream } from 'node:tty';
import type { Result } from '../base/result.ts';
import { ExitCode, err, ok } from '../base/result.ts';
import { detectCapabilities } from '../terminal/capabilities.ts';
import type { Capabilities } from '../terminal/capabilities.ts';
import type { TerminalStream, TerminalStreams } from '../terminal/terminal-output.ts';

const REMEDY = 'use --once for a frame as text';

/** Whether the monitor can be drawn here and driven by keys. */
export function checkTerminal(): Result<undefined> {
  const what = 'cannot draw the monitor';
  const exitCode = ExitCode.usage;
  if (!process.stdout.isTTY)
    return err({ exitCode, what, why: 'the output is not a terminal', remedy: REMEDY });
  if (!process.stdin.isTTY)
    return err({ exitCode, what, why: 'the input is not a terminal', remedy: REMEDY });
  if (['', 'dumb'].includes(process.env['TERM'] ?? ''))
    return err({
      exitCode,
      what,
      why: 'the terminal cannot move its cursor (TERM is dumb or not set)',
      remedy: `set TERM, or ${REMEDY}`,
    });
  return ok(undefined);
}

export function terminalStreams(): { streams: TerminalStreams; capabilities: Capabilities } {
  const output = process.stdout as TerminalStream;
  const input = process.stdin as ReadStream;
  return { streams: { output, input }, capabilities: detectCapabilities(process.env, output) };
}
