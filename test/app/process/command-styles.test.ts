import { describe, expect, it } from 'vitest';
import { stylesFor } from '../../../src/app/process/command-styles.ts';
import { createReport, formatDoctor } from '../../../src/kernel/doctor/report.ts';

const TERMINAL = { isTTY: true };
const PIPE = { isTTY: false };
const XTERM = { TERM: 'xterm-256color' };
const RED = '\u001B[31m';

describe('what a command prints', () => {
  it('command output is coloured on a terminal and plain in a pipe', () => {
    expect(stylesFor(TERMINAL, XTERM).red('fail')).toContain(RED);
    expect(stylesFor(PIPE, XTERM).red('fail')).toBe('fail');
    expect(stylesFor(TERMINAL, { TERM: 'dumb' }).red('fail')).toBe('fail');
  });

  it('command output obeys NO_COLOR, but FORCE_COLOR first', () => {
    expect(stylesFor(TERMINAL, { ...XTERM, NO_COLOR: '1' }).red('fail')).toBe('fail');
    expect(stylesFor(PIPE, { ...XTERM, NO_COLOR: '1', FORCE_COLOR: '1' }).red('fail')).toContain(
      RED,
    );
    expect(stylesFor(TERMINAL, { ...XTERM, FORCE_COLOR: '0' }).red('fail')).toBe('fail');
  });

  it('the status marks of doctor are coloured without moving any text', () => {
    const report = createReport([{ id: 'btf', label: 'BTF', status: 'fail', found: 'missing' }]);
    const { red } = stylesFor(TERMINAL, XTERM);
    const coloured = formatDoctor(report, (text) => red(text));
    expect(coloured).toContain(`${RED}fail`);
    expect(coloured.replaceAll(/\u001B\[\d+m/g, '')).toBe(formatDoctor(report));
  });
});
