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
  ])('the number of colours with TERM=%s is %s', (TERM, expected) => {
    expect(colors({ TERM })).toBe(expected);
  });

  it.each(['truecolor', '24bit', 'TrueColor'])(
    'with COLORTERM=%s there are all colours',
    (COLORTERM) => {
      expect(colors({ TERM: 'xterm-256color', COLORTERM })).toBe('truecolor');
    },
  );

  it('COLORTERM is ignored where it comes from another terminal outside', () => {
    const COLORTERM = 'truecolor';
    expect(colors({ TERM: 'screen-256color', COLORTERM, STY: '1.pts-0' })).toBe('256');
    expect(colors({ TERM: 'screen', COLORTERM })).toBe('16');
    expect(colors({ TERM: 'xterm-256color', COLORTERM, STY: '1.pts-0' })).toBe('256');
    expect(colors({ TERM: 'linux', COLORTERM })).toBe('16');
    expect(colors({ TERM: 'dumb', COLORTERM })).toBe('none');
    expect(colors({ TERM: 'screen-256color', COLORTERM, TMUX: '/tmp/x' })).toBe('truecolor');
  });

  it('output that is not a terminal has no colours', () => {
    expect(colors({ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, false)).toBe('none');
  });

  it('with NO_COLOR set and not empty there are no colours', () => {
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
  ])('FORCE_COLOR=%j overrides everything else with %s', (FORCE_COLOR, expected) => {
    expect(colors({ TERM: 'dumb', NO_COLOR: '1', FORCE_COLOR }, false)).toBe(expected);
  });

  it('a FORCE_COLOR that makes no sense is ignored', () => {
    expect(colors({ TERM: 'xterm', FORCE_COLOR: 'please' })).toBe('256');
    expect(colors({ TERM: 'xterm', FORCE_COLOR: '-1' })).toBe('256');
  });
});

describe('the background', () => {
  it.each([
    [undefined, 'unknown'],
    ['', 'unknown'],
    ['default;default', 'unknown'],
    ['15;0', 'dark'],
    ['0;15', 'light'],
    ['0;default;15', 'light'],
    ['7;8', 'dark'],
    ['0;7', 'light'],
    ['0;255', 'unknown'],
  ])('the background with COLORFGBG=%s is %s', (COLORFGBG, expected) => {
    expect(detectCapabilities({ TERM: 'xterm', COLORFGBG }, TTY).background).toBe(expected);
  });

  it.each(['xterm-256color', 'tmux-256color', 'screen', 'foot', 'something-new'])(
    'the background can be asked for where TERM is %s',
    (TERM) => {
      expect(detectCapabilities({ TERM }, TTY).answers).toBe(true);
    },
  );

  it.each(['linux', 'dumb', 'vt100', 'vt220', 'eterm-color', 'unknown', ''])(
    'the background is not asked for where TERM is %j, even with colours',
    (TERM) => {
      expect(detectCapabilities({ TERM, FORCE_COLOR: '2' }, TTY).answers).toBe(false);
    },
  );

  it('the background is not asked for without a terminal or without colours', () => {
    const env = { TERM: 'xterm' };
    expect(detectCapabilities(env, { ...TTY, isTTY: false }).answers).toBe(false);
    expect(detectCapabilities({ ...env, NO_COLOR: '1' }, TTY).answers).toBe(false);
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
  ])('whether there is Unicode with %j: %s', (env, expected) => {
    expect(detectCapabilities(env, TTY).unicode).toBe(expected);
  });
});

describe('full blocks', () => {
  it.each([
    [{ TERM: 'linux', LANG: 'C.UTF-8' }, true],
    [{ TERM: 'linux', LANG: 'C' }, false],
    [{ TERM: 'xterm', LANG: 'C.UTF-8' }, false],
  ])('whether pixels are full blocks with %j: %s', (env, expected) => {
    expect(detectCapabilities(env, TTY).fullBlocksOnly).toBe(expected);
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
  ])('the screen size with %j and a terminal of %j is %j', (env, output, expected) => {
    expect(detectCapabilities(env, output).size(output)).toEqual(expected);
  });
});
