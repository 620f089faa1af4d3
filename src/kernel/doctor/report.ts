import { safeJson } from '../../base/safe-json.ts';
import { ExitCode } from '../../base/result.ts';
import { sanitizeText } from '../../base/sanitize.ts';

/**
 * `fail`: ioheat cannot trace here. `warn`: it can, but something is lost. `unknown`: this process cannot find out,
 * usually because of missing privileges.
 */
export type CheckStatus = 'ok' | 'warn' | 'fail' | 'unknown';

export interface DoctorCheck {
  /** Stable name for scripts. */
  readonly id: string;
  readonly label: string;
  readonly status: CheckStatus;
  readonly found: string;
  /** What a person will not see. */
  readonly lost?: string;
  /** What to type or change. */
  readonly remedy?: string;
}

export interface DoctorReport {
  /** From checks that everything else depends on to those that are merely informative. */
  readonly checks: readonly DoctorCheck[];
  readonly canTrace: boolean;
}

export function createReport(checks: readonly DoctorCheck[]): DoctorReport {
  return { checks, canTrace: checks.every((check) => check.status !== 'fail') };
}

export function doctorExitCode(report: DoctorReport): ExitCode {
  return report.canTrace ? ExitCode.fine : ExitCode.cannotTrace;
}

/** Styles text by status on the terminal; must not change its width. */
export type StatusStyle = (text: string, status: CheckStatus) => string;

const COLUMNS = 80;
const STATUS_COLUMNS = 9;
const LABEL_COLUMNS = 23;

/**
 * The report for people, 80 columns wide. Remedies are not wrapped, because they are copied; the code that builds one
 * quotes what comes from outside (`shellQuote`).
 */
export function formatDoctor(report: DoctorReport, style: StatusStyle = plain): string {
  const checks = report.checks.flatMap((check) => formatCheck(check, style));
  const lines = [...checks, '', verdict(report)];
  return `${lines.join('\n')}\n`;
}

function plain(text: string): string {
  return text;
}

function formatCheck(check: DoctorCheck, style: StatusStyle): string[] {
  const status = style(check.status.padEnd(STATUS_COLUMNS), check.status);
  const head = status + check.label.padEnd(LABEL_COLUMNS);
  const details = [
    ...(check.lost === undefined ? [] : wrap(`lost: ${sanitizeText(check.lost)}`)),
    ...(check.remedy === undefined ? [] : [`do: ${check.remedy}`]),
  ];
  const indent = ' '.repeat(STATUS_COLUMNS + LABEL_COLUMNS);
  const [first = '', ...rest] = wrap(sanitizeText(check.found));
  return [`${head}${first}`, ...[...rest, ...details].map((line) => `${indent}${line}`)];
}

function wrap(text: string): string[] {
  const width = COLUMNS - STATUS_COLUMNS - LABEL_COLUMNS;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

function verdict(report: DoctorReport): string {
  const failed = report.checks.filter((check) => check.status === 'fail');
  if (failed.length === 0) {
    const unknown = report.checks.some((check) => check.status === 'unknown');
    return unknown ? 'Nothing found that prevents tracing.' : 'ioheat can trace here.';
  }
  return `ioheat cannot trace here: ${failed.map((check) => check.label).join(', ')}.`;
}

/** The report for scripts; its shape is part of the command-line contract. */
export function doctorJson(report: DoctorReport): string {
  return `${safeJson({ canTrace: report.canTrace, checks: report.checks }, 2)}\n`;
}
