import { describe, expect, it } from 'vitest';
import {
  createReport,
  doctorExitCode,
  doctorJson,
  formatDoctor,
  type DoctorCheck,
} from '../../src/kernel/doctor/report.ts';

const fine: DoctorCheck = { id: 'a', label: 'first', status: 'ok', found: 'all well' };
const lossy: DoctorCheck = {
  id: 'b',
  label: 'second',
  status: 'warn',
  found: 'something that takes many words to describe and needs a second line to end',
  lost: 'a thing or two that one would rather have on the screen, but cannot',
  remedy: 'a command that is long and must be copied in one piece, so it is never broken up',
};
const fatal: DoctorCheck = { id: 'c', label: 'third', status: 'fail', found: 'nothing' };
const unclear: DoctorCheck = { id: 'd', label: 'fourth', status: 'unknown', found: 'who knows' };

describe('createReport', () => {
  it('a doctor report without failures can trace, also with warnings and unknowns', () => {
    expect(doctorExitCode(createReport([fine, lossy, unclear]))).toBe(0);
    expect(doctorExitCode(createReport([fine, fatal]))).toBe(3);
  });
});

describe('formatDoctor', () => {
  it('the doctor page has each check on a line, its loss and remedy below', () => {
    expect(formatDoctor(createReport([fine, lossy, fatal]))).toBe(
      `ok       first                  all well
warn     second                 something that takes many words to describe and
                                needs a second line to end
                                lost: a thing or two that one would rather have
                                on the screen, but cannot
                                do: a command that is long and must be copied in one piece, so it is never broken up
fail     third                  nothing

ioheat cannot trace here: third.
`,
    );
  });

  it('the doctor page has at most 80 columns, except for remedies', () => {
    const lines = formatDoctor(createReport([fine, lossy, fatal, unclear])).split('\n');
    const long = lines.filter((line) => line.length > 80);
    expect(long.every((line) => line.trim().startsWith('do: '))).toBe(true);
  });

  it('the doctor page promises tracing only when nothing is unknown', () => {
    expect(formatDoctor(createReport([fine]))).toContain('ioheat can trace here.');
    expect(formatDoctor(createReport([fine, unclear]))).toContain(
      'Nothing found that prevents tracing.',
    );
  });

  it('the doctor page prints no control character of a disk or message', () => {
    const hostile = { ...fine, found: '\x1b[2J\x9b31m\u202e', lost: '\x07' };
    expect(formatDoctor(createReport([hostile]))).not.toMatch(
      /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/,
    );
  });
});

describe('doctorJson', () => {
  it('doctor --json prints the report and nothing else', () => {
    const report = createReport([fine, lossy]);
    expect(JSON.parse(doctorJson(report))).toEqual({ canTrace: true, checks: [fine, lossy] });
  });
});
