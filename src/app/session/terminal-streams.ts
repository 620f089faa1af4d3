import { constants, openSync } from 'node:fs';
import { ReadStream, WriteStream, isatty } from 'node:tty';
import { isSystemError } from '../../base/system-error.ts';
import type { Result } from '../../base/result.ts';
import { ExitCode, err, ok } from '../../base/result.ts';
import { detectCapabilities } from '../../terminal/capabilities.ts';
import type { Capabilities } from '../../terminal/capabilities.ts';
import type { TerminalStream, TerminalStreams } from '../../terminal/terminal-output.ts';

const STDIN = 0;
const STDOUT = 1;
const REMEDY = 'use --once for a frame as text';

/** Whether the monitor can be drawn here and takes keys from its input, unless that is a trace. */
export function checkTerminal(inputIsTrace = false): Result<undefined> {
  const what = 'cannot draw the monitor';
  const exitCode = ExitCode.usage;
  if (!isatty(STDOUT))
    return err({ exitCode, what, why: 'the output is not a terminal', remedy: REMEDY });
  if (!inputIsTrace && !isatty(STDIN))
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

/**
 * The controlling terminal by its generic name. Its real name may belong to root, as sudo makes it with
 * `use_pty`; libuv could not open that any more, and would then block on writes.
 */
const OWN_TERMINAL = '/dev/tty';

export function terminalStreams(inputIsTrace = false): {
  streams: TerminalStreams;
  capabilities: Capabilities;
} {
  const { stdout, stdin } = process;
  const streams =
    openOwnTerminal() ?? (inputIsTrace ? { output: stdout } : { output: stdout, input: stdin });
  return { streams, capabilities: detectCapabilities(process.env, streams.output) };
}

/** Undefined when the process has no controlling terminal, as under some process supervisors. */
function openOwnTerminal(): TerminalStreams | undefined {
  const fds = openTwice();
  if (fds === undefined) return undefined;
  // Node exposes the descriptor only on `process.stdout`.
  const output = Object.assign(new WriteStream(fds.output), { fd: fds.output }) as ResizableStream;
  process.on('SIGWINCH', () => {
    noticeResize(output);
  });
  return { output, input: new ReadStream(fds.input) };
}

function noticeResize(output: ResizableStream): void {
  const { columns, rows } = output;
  output._refreshSize();
  // The size changed in between, which may have cut a part of the picture.
  if (output.columns === columns && output.rows === rows) output.emit('resize');
}

/** Node refreshes the size only of `process.stdout`, with this method. */
type ResizableStream = TerminalStream & { _refreshSize: () => void };

function openTwice(): { output: number; input: number } | undefined {
  try {
    const flags = constants.O_RDWR | constants.O_NOCTTY;
    return { output: openSync(OWN_TERMINAL, flags), input: openSync(OWN_TERMINAL, flags) };
  } catch (cause) {
    if (isSystemError(cause)) return undefined;
    throw cause;
  }
}
