import { signalExitCode } from '../base/end-signals.ts';
import type { Result } from '../base/result.ts';
import { ExitCode, err, ok } from '../base/result.ts';
import { sanitizeText } from '../base/sanitize.ts';
import type { Handover } from '../kernel/privilege/receive-handover.ts';
import type { Parsed } from './args.ts';
import { bareCommand } from './bare-command.ts';
import { complain } from '../app/process/complain.ts';
import { confineFor } from '../app/privilege/confine-for.ts';
import type { Ending } from '../app/process/end-request.ts';
import type { OpenedSource } from '../app/open/opened-source.ts';
import { STDIN_FILE } from '../app/options/options.ts';
import type { Options } from '../app/options/options.ts';
import { pass as passGate } from '../app/privilege/privilege-gate.ts';
import type { Pass } from '../app/privilege/privilege-gate.ts';
import type { Task } from '../app/privilege/privilege-table.ts';
import { forPeople, print, silenceTerminal, tell } from '../app/process/print.ts';
import { guardTerminal } from '../app/session/guarded-terminal.ts';
import type { GuardedTerminal } from '../app/session/guarded-terminal.ts';
import { checkTerminal } from '../app/session/terminal-streams.ts';
import type { lossSummary } from '../app/process/loss-summary.ts';
import { VERSION } from '../app/process/version.ts';

/**
 * Runs the program. The code of a command is loaded when it runs, because the first stage of live tracing must be
 * quick. `handover` is what the first stage of this process passed to the second.
 */
export async function main(
  argv: readonly string[],
  handover: Handover | undefined,
): Promise<number> {
  const parsed = await read(argv);
  const stayRoot = parsed.ok && 'options' in parsed.value && parsed.value.options.stayRoot;
  const pass = await passGate(taskOf(parsed), { stayRoot, handover });
  if (!pass.ok) return complain(pass.error);
  const done = parsed.ok ? await carryOut(parsed.value, pass.value) : parsed;
  return done.ok ? done.value : complain(done.error);
}

function taskOf(parsed: Result<Parsed>): Task {
  if (!parsed.ok) return 'usage error';
  if ('print' in parsed.value) return 'help or version';
  if ('trace' in parsed.value) return parsed.value.trace.command;
  if ('note' in parsed.value) return 'note';
  if ('paint' in parsed.value) return parsed.value.paint.overwrite ? 'paint over data' : 'paint';
  const { command, recording } = parsed.value.options;
  return command === 'record' && recording.isDemo ? 'record of a pattern' : command;
}

async function read(argv: readonly string[]): Promise<Result<Parsed>> {
  const bare = bareCommand(argv);
  if (bare !== undefined) return bare.ok ? ok({ options: bare.value }) : bare;
  return (await import('./args.ts')).parseArgs(argv, VERSION);
}

async function carryOut(parsed: Parsed, pass: Pass): Promise<Result<number>> {
  if ('options' in parsed) return runCommand(parsed.options, pass);
  if ('print' in parsed) {
    const printed = await print(`${forPeople(parsed.print)}\n`);
    return printed.ok ? ok(ExitCode.fine) : printed;
  }
  await confineFor(pass);
  if ('note' in parsed) return (await import('../app/run/run-note.ts')).runNote(parsed.note);
  if ('paint' in parsed)
    return (await import('../app/run/run-paint.ts')).runPaint(parsed.paint, pass);
  return (await import('../app/run/run-trace-command.ts')).runTraceCommand(parsed.trace);
}

function runCommand(options: Options, pass: Pass): Promise<Result<number>> {
  if (options.command === 'doctor') return runDoctor(options);
  return options.command === 'record' ? record(options, pass) : draw(options, pass);
}

async function runDoctor(options: Options): Promise<Result<ExitCode>> {
  const doctor = await import('../kernel/doctor/run-doctor.ts');
  const { doctorExitCode, doctorJson, formatDoctor } = await import('../kernel/doctor/report.ts');
  const report = await doctor.runDoctor();
  const { stylesFor } = await import('../app/process/command-styles.ts');
  const { green, yellow, red, dim } = stylesFor(process.stdout);
  const styles = { ok: green, warn: yellow, fail: red.bold, unknown: dim };
  const text = forPeople(formatDoctor(report, (word, status) => styles[status](word)));
  const printed = await print(options.json ? doctorJson(report) : text);
  return printed.ok ? ok(doctorExitCode(report)) : printed;
}

async function draw(options: Options, pass: Pass): Promise<Result<number>> {
  const terminal = options.once ? ok(undefined) : checkTerminal(readsInput(options));
  if (!terminal.ok) return (await wrongFiles(options, pass)) ?? terminal;
  // The guardian is the last child that is started, so it starts before any input is opened; but it must
  // never have privileges.
  const early =
    options.once || !isSecondStage(options, pass) ? undefined : guardedTerminal(options);
  const confined = await confineFor(pass);
  const opened = await open(options, pass);
  if (!opened.ok) return opened;
  const { source, notes, lastWords } = opened.value;
  const done = options.once
    ? await printFrame(opened.value, options)
    : await runSession(opened.value, options, early ?? guardedTerminal(options));
  if (options.verbose) await tellLosses(source, [...notes, confined]);
  // A command that failed prints its error alone.
  const words = done.ok ? lastWords?.(options.verbose) : undefined;
  for (const line of words ?? []) tell(`ioheat: ${sanitizeText(line)}\n`);
  source.dispose();
  return done;
}

/** The error in the files to replay, if there is one: it is reported instead of a missing terminal. */
async function wrongFiles(options: Options, pass: Pass): Promise<Result<never> | undefined> {
  if (options.command !== 'replay' || readsInput(options)) return undefined;
  await confineFor(pass);
  const opened = await open(options, pass);
  if (!opened.ok) return opened;
  opened.value.source.dispose();
  return undefined;
}

/** Live tracing without a handover either still has privileges or ends with an error. */
function isSecondStage({ command }: Options, pass: Pass): boolean {
  return pass.kind === 'unprivileged' && (command !== 'live' || pass.handover !== undefined);
}

async function record(options: Options, pass: Pass): Promise<Result<number>> {
  const confined = await confineFor(pass);
  const opened = await open(options, pass);
  if (!opened.ok) return opened;
  const { source, notes } = opened.value;
  const { runRecord } = await import('../app/run/run-record.ts');
  const done = await runRecord(opened.value, options.recording, options.verbose);
  if (options.verbose) await tellLosses(source, [...notes, confined]);
  source.dispose();
  return done;
}

async function tellLosses(...parts: Parameters<typeof lossSummary>): Promise<void> {
  const late = await import('../app/process/loss-summary.ts');
  tell(late.lossSummary(...parts));
}

async function open(options: Options, pass: Pass): Promise<Result<OpenedSource>> {
  if (options.command === 'replay')
    return (await import('../app/open/open-replay.ts')).openReplay(options);
  if (options.command === 'demo' || options.recording.isDemo)
    return (await import('../app/open/demo-source.ts')).openDemo(options);
  return (await import('../app/open/live.ts')).openLive(options, pass);
}

/** Whether standard input is replayed, so that keys must come from elsewhere. */
function readsInput({ files }: Options): boolean {
  return files.includes(STDIN_FILE);
}

async function printFrame(opened: OpenedSource, options: Options): Promise<Result<number>> {
  const { frameOnce, onceOutput } = await import('../app/run/once.ts');
  const done = await frameOnce(opened, options, onceOutput(options));
  if (!done.ok) return done;
  const printed = await print(done.value.frame);
  return printed.ok ? conclude(done.value) : printed;
}

function guardedTerminal(options: Options): GuardedTerminal {
  return guardTerminal(readsInput(options));
}

async function runSession(
  opened: OpenedSource,
  options: Options,
  terminal: GuardedTerminal,
): Promise<Result<number>> {
  const { Session } = await import('../app/session/session.ts');
  await terminal.guardian.ready;
  const session = new Session({ ...opened, options, ...terminal });
  const done = await session.run(options.recording.file);
  if (!done.ok) return done;
  if (!done.value.canTell) silenceTerminal();
  return conclude(done.value);
}

function conclude({ message, failure, signal }: Ending): Result<number> {
  if (message !== '') tell(`${sanitizeText(message)}\n`);
  if (failure !== undefined) return err(failure);
  return ok(signal === undefined ? ExitCode.fine : signalExitCode(signal));
}
