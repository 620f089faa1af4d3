import type { Background } from '../base/background.ts';
import { backgroundFromEnvironment } from './background.ts';
import { COLOR_DEPTHS, type ColorDepth } from './color.ts';

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** What the terminal supports, according to its environment. */
export interface Capabilities {
  readonly colors: ColorDepth;
  /** Whether it supports UTF-8, and so boxes and half blocks. */
  readonly unicode: boolean;
  /**
   * Whether pixels are full blocks in a foreground colour. The Linux console shows bright backgrounds as dark ones, and
   * Debian's fonts for it have neither half-blocks nor braille.
   */
  readonly fullBlocksOnly: boolean;
  /** According to the environment; the terminal may answer otherwise. */
  readonly background: Background;
  /** Whether it can be asked for its background without printing the question. */
  readonly answers: boolean;
  /** Whether it can be asked for its status: it answers or ignores the question. */
  readonly reports: boolean;
  /** The size to draw in; asked again after each `resize`. */
  readonly size: (output: TerminalLike) => TerminalSize;
}

/** The shape of `process.stdout`, whether or not it is a terminal. */
export interface TerminalLike {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const FALLBACK_COLUMNS = 80;
const FALLBACK_ROWS = 24;

/** A larger picture has no use, and a wrong size would waste memory; the rest stays blank. */
const MAX_COLUMNS = 500;
const MAX_ROWS = 200;

export function detectCapabilities(env: Environment, output: TerminalLike): Capabilities {
  const colors = detectColors(env, output.isTTY === true);
  return {
    colors,
    unicode: isUtf8(env),
    fullBlocksOnly: isUtf8(env) && output.isTTY === true && LINUX_CONSOLE.test(env['TERM'] ?? ''),
    background: backgroundFromEnvironment(env['COLORFGBG']),
    answers: output.isTTY === true && colors !== 'none' && !SILENT.test(env['TERM'] ?? ''),
    reports: output.isTTY === true && !/^(dumb|unknown)?$/.test(env['TERM'] ?? ''),
    size: (terminal) => ({
      columns: dimension(terminal.columns, env['COLUMNS'], FALLBACK_COLUMNS, MAX_COLUMNS),
      rows: dimension(terminal.rows, env['LINES'], FALLBACK_ROWS, MAX_ROWS),
    }),
  };
}

/** The first number above 0 of the kernel's value, the environment's and the fallback. */
function dimension(
  known: number | undefined,
  stated: string | undefined,
  fallback: number,
  max: number,
): number {
  const size = [known, Number(stated)].find((value) => value !== undefined && value >= 1);
  return Math.min(max, Math.floor(size ?? fallback));
}

function detectColors(env: Environment, isTerminal: boolean): ColorDepth {
  const forced = forcedColors(env['FORCE_COLOR']);
  if (forced !== undefined) return forced;
  if (!isTerminal || isSet(env['NO_COLOR'])) return 'none';
  return colorsOfTerm(env);
}

/** FORCE_COLOR as Node and chalk interpret it: 0 to 3, true or false; empty means true. */
function forcedColors(value: string | undefined): ColorDepth | undefined {
  if (value === undefined) return undefined;
  if (value === 'false') return 'none';
  if (value === '' || value === 'true') return '16';
  const level = Number(value);
  return Number.isInteger(level) && level >= 0 ? COLOR_DEPTHS[Math.min(level, 3)] : undefined;
}

/** Monochrome terminals, and those that cannot move their cursor. */
const MONOCHROME = /^(dumb|vt\d+.*|unknown)?$/;

const LINUX_CONSOLE = /^linux([-.].*)?$/;

/** Terminals without operating system commands: some of them would print the question. */
const SILENT = /^(dumb|vt\d+.*|unknown|linux.*|cons25.*|eterm.*)?$/;

/** Every terminal that calls itself one of these has understood 256 colours for ten years or more. */
const COLORS_256 =
  /256|^(xterm|tmux|st|foot|alacritty|kitty|wezterm|ghostty|konsole|gnome|vte|putty|mlterm|contour)([-.].*)?$/;

function colorsOfTerm(env: Environment): ColorDepth {
  const term = env['TERM'] ?? '';
  if (MONOCHROME.test(term)) return 'none';
  if (term.endsWith('-direct')) return 'truecolor';
  const isTrueColor = /^(truecolor|24bit)$/i.test(env['COLORTERM'] ?? '');
  if (isTrueColor && !isGnuScreen(env, term) && term !== 'linux') return 'truecolor';
  return COLORS_256.test(term) ? '256' : '16';
}

/** GNU screen passes on the COLORTERM of the outer terminal, but supports at most 256 colours. */
function isGnuScreen(env: Environment, term: string): boolean {
  return !isSet(env['TMUX']) && (isSet(env['STY']) || /^screen([-.]|$)/.test(term));
}

/**
 * Whether the locale is in UTF-8, so that text may have more than ASCII. The order is that of the C library: the first
 * of the three variables that is set decides.
 */
export function isUtf8(env: Environment): boolean {
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find(isSet);
  return /utf-?8/i.test(locale ?? '');
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
