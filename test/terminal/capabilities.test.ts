import { describe, expect, it } from 'vitest';
import { detectCapabilities, type Environment } from '../../src/terminal/capabilities.ts';

const TTY = { isTTY: true, columns: 80, rows: 24 };

function colors(env: Environment, isTTY = true): string {
  return detectCapabilities(env, { ...TTY, isTTY }).colors;
}

describe('the number of colours', () => {
  it.each([
    [undefined, 'none'],
    ['', 'none'],
    ['dumb', 'none'],
    ['vt100', 'none'],
    ['vt220', 'none'],
    ['linux', '16'],
    ['screen', '16'],
    ['screen.xterm-new', '16'],
    ['ansi', '16'],
    ['rxvt', '16'],
    ['something-new', '16'],
    ['xterm', '256'],
    ['xterm-256color', '256'],
    ['screen-256color', '256'],
    ['tmux', '256'],
    ['tmux-256color', '256'],
    ['rxvt-unicode-256color', '256'],
    ['xterm-kitty', '256'],
    ['alacritty', '256'],
    ['foot', '256'],
    ['xterm-direct', 'truecolor'],
  ])('of TERM=%s is %s', (TERM, expected) => {
    expect(colors({ TERM })).toBe(expected);
  });

  it.each(['truecolor', '24bit', 'TrueColor'])('is all of them if COLORTERM is %s', (COLORTERM) => {
    expect(colors({ TERM: 'xterm-256color', COLORTERM })).toBe('truecolor');
  });

  it('does not believe COLORTERM where it comes from the terminal outside', () => {
    const COLORTERM = 'truecolor';
    expect(colors({ TERM: 'screen-256color', COLORTERM, STY: '1.pts-0' })).toBe('256');
    expect(colors({ TERM: 'screen', COLORTERM })).toBe('16');
    expect(colors({ TERM: 'xterm-256color', COLORTERM, STY: '1.pts-0' })).toBe('256');
    expect(colors({ TERM: 'linux', COLORTERM })).toBe('16');
    expect(colors({ TERM: 'dumb', COLORTERM })).toBe('none');
    expect(colors({ TERM: 'screen-256color', COLORTERM, TMUX: '/tmp/x' })).toBe('truecolor');
  });

  it('is none if the output is not a terminal', () => {
    expect(colors({ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, false)).toBe('none');
  });

  it('is none if NO_COLOR is set and not empty', () => {
    expect(colors({ TERM: 'xterm-256color', NO_COLOR: '1' })).toBe('none');
    expect(colors({ TERM: 'xterm-256color', NO_COLOR: '' })).toBe('256');
  });

  it.each([
    ['0', 'none'],
    ['false', 'none'],
    ['', '16'],
    ['1', '16'],
    ['true', '16'],
    ['2', '256'],
    ['3', 'truecolor'],
    ['9', 'truecolor'],
  ])('is forced by FORCE_COLOR=%j to %s, whatever else is said', (FORCE_COLOR, expected) => {
    expect(colors({ TERM: 'dumb', NO_COLOR: '1', FORCE_COLOR }, false)).toBe(expected);
  });

  it('is not forced by a FORCE_COLOR that makes no sense', () => {
    expect(colors({ TERM: 'xterm', FORCE_COLOR: 'please' })).toBe('256');
    expect(colors({ TERM: 'xterm', FORCE_COLOR: '-1' })).toBe('256');
  });
});

describe('Unicode', () => {
  it.each([
    [{ LANG: 'en_GB.UTF-8' }, true],
    [{ LANG: 'C.utf8' }, true],
    [{ LANG: 'C' }, false],
    [{}, false],
    [{ LC_CTYPE: 'de_DE.UTF-8', LANG: 'C' }, true],
    [{ LC_ALL: 'C', LC_CTYPE: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8' }, false],
    [{ LC_ALL: '', LANG: 'de_DE.UTF-8' }, true],
    [{ LANG: 'en_US.ISO-8859-1' }, false],
  ])('with %j is %s', (env, expected) => {
    expect(detectCapabilities(env, TTY).unicode).toBe(expected);
  });
});

describe('the size', () => {
  it.each([
    [{}, { columns: 120, rows: 40 }, { columns: 120, rows: 40 }],
    [{}, {}, { columns: 80, rows: 24 }],
    [{}, { columns: 0, rows: 0 }, { columns: 80, rows: 24 }],
    [
      { COLUMNS: '132', LINES: '50' },
      { columns: 0, rows: 0 },
      { columns: 132, rows: 50 },
    ],
    [{ COLUMNS: '132' }, { columns: 100, rows: 30 }, { columns: 100, rows: 30 }],
    [{ COLUMNS: 'wide', LINES: '-4' }, {}, { columns: 80, rows: 24 }],
    [{}, { columns: 1, rows: 1 }, { columns: 1, rows: 1 }],
    [{}, { columns: 5000, rows: 5000 }, { columns: 500, rows: 200 }],
  ])('in %j of a terminal of %j is %j', (env, output, expected) => {
    expect(detectCapabilities(env, output).size(output)).toEqual(expected);
  });
});
