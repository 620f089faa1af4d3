import type { IoheatError, Result } from '../base/result.ts';
import { ExitCode, formatError, ok } from '../base/result.ts';
import { parseArgs } from './args.ts';
import type { Opened } from './opened.ts';
import type { Options } from './options.ts';
import { VERSION } from './version.ts';

// What a command needs is loaded when it runs: the first stage of live tracing must be quick.
process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<ExitCode> {
  const parsed = await parseArgs(argv, VERSION);
  if (!parsed.ok) return complain(parsed.error);
  if ('print' in parsed.value) {
    process.stdout.write(`${parsed.value.print}\n`);
    return ExitCode.fine;
  }
  const { options } = parsed.value;
  const done = options.command === 'doctor' ? await runDoctor(options) : await draw(options);
  return done.ok ? done.value : complain(done.error);
}

function complain(error: IoheatError): ExitCode {
  process.stderr.write(`ioheat: ${formatError(error)}\n`);
  return error.exitCode;
}

async function runDoctor(options: Options): Promise<Result<ExitCode>> {
  const doctor = await import('../kernel/doctor/run-doctor.ts');
  const { doctorExitCode, doctorJson, formatDoctor } = await import('../kernel/doctor/report.ts');
  const report = await doctor.runDoctor();
  process.stdout.write(options.json ? doctorJson(report) : formatDoctor(report));
  return ok(doctorExitCode(report));
}

async function draw(options: Options): Promise<Result<ExitCode>> {
  const { checkTerminal } = await import('./terminal-streams.ts');
  const terminal = options.once ? ok(undefined) : checkTerminal();
  if (!terminal.ok) return terminal;
  const opened = await open(options);
  if (!opened.ok) return opened;
  const { source, notes } = opened.value;
  if (options.once) await printFrame(opened.value, options);
  else await sit(opened.value, options);
  const { farewell } = await import('./farewell.ts');
  if (options.verbose) process.stderr.write(farewell(source.counters(), notes));
  source.dispose();
  return ok(ExitCode.fine);
}

async function open(options: Options): Promise<Result<Opened>> {
  if (options.command === 'demo') return (await import('./demo-source.ts')).openDemo(options);
  return (await import('./live.ts')).openLive(options);
}

async function printFrame(opened: Opened, options: Options): Promise<void> {
  const { frameOnce, onceOutput } = await import('./once.ts');
  process.stdout.write(await frameOnce(opened, options, onceOutput(options)));
}

async function sit(opened: Opened, options: Options): Promise<void> {
  const { Session } = await import('./session.ts');
  const { terminalStreams } = await import('./terminal-streams.ts');
  await new Session({ ...opened, options, ...terminalStreams() }).run();
}
