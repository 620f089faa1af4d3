import { existsSync } from 'node:fs';
import { explainFileLimit } from '../../base/file-limit.ts';
import { ExitCode, type IoheatError } from '../../base/result.ts';
import { formatSyscallError, type SyscallError } from '../native/syscalls.ts';
import { canTrace } from '../privilege/capabilities.ts';
import { explainRights } from '../privilege/explain.ts';
import { isShortOfFiles } from './open-files.ts';

/** libbpf looks up there which kernel functions complete the I/O of files. */
const SYMBOLS = '/proc/kallsyms';

/** Why the programs could not be loaded or attached; `log`: what libbpf printed, with the log of the verifier. */
export function explainLoadFailure(failure: SyscallError, log: readonly string[]): IoheatError {
  if (failure.name === 'EPERM' && !canTrace()) return explainRights();
  const shortage = explainFileLimit(isShortOfFiles() ? 'EMFILE' : failure.name);
  if (shortage !== undefined)
    return {
      exitCode: ExitCode.cannotTrace,
      what: 'cannot load the tracing programs',
      ...shortage,
    };
  if (!existsSync(SYMBOLS))
    return {
      exitCode: ExitCode.cannotTrace,
      what: 'cannot load the tracing programs',
      why: `${SYMBOLS} is missing`,
      remedy: 'mount /proc whole, without subset=pid',
    };
  return {
    exitCode: ExitCode.cannotTrace,
    what: 'the kernel refused the tracing programs',
    why: `${formatSyscallError(failure)} ${verdict(log)}`.trim(),
    remedy: 'run `ioheat doctor`, which tries each requirement by itself',
  };
}

/** The line after the reason in the verifier's log. */
const AFTER_REASON = /^processed \d+ insns/;

/** The verifier's reason, or libbpf's last line where the verifier gave none. */
function verdict(log: readonly string[]): string {
  const lines = log.flatMap((entry) => entry.split('\n'));
  const end = lines.findLastIndex((line) => AFTER_REASON.test(line));
  return lines[end - 1] ?? lines.findLast((line) => line.startsWith('libbpf: ')) ?? '';
}
