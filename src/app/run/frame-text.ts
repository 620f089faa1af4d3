import { Chalk } from 'chalk';
import type { ChalkInstance } from 'chalk';
import { Attribute, TRUE_COLOR } from '../../base/cell-block.ts';
import type { CellBlock } from '../../base/cell-block.ts';
import { blockLines } from '../../terminal/block-text.ts';
import type { ColorDepth } from '../../terminal/color.ts';

const LEVELS = { none: 0, '16': 1, '256': 2, truecolor: 3 } as const;

const ATTRIBUTES = ['bold', 'dim', 'italic', 'underline', 'inverse'] as const;

/** By index: the user's own 16 colours, which terminals may show differently from those of the 256-colour palette. */
const FIRST_16 = [
  ['black', 'bgBlack'],
  ['red', 'bgRed'],
  ['green', 'bgGreen'],
  ['yellow', 'bgYellow'],
  ['blue', 'bgBlue'],
  ['magenta', 'bgMagenta'],
  ['cyan', 'bgCyan'],
  ['white', 'bgWhite'],
  ['blackBright', 'bgBlackBright'],
  ['redBright', 'bgRedBright'],
  ['greenBright', 'bgGreenBright'],
  ['yellowBright', 'bgYellowBright'],
  ['blueBright', 'bgBlueBright'],
  ['magentaBright', 'bgMagentaBright'],
  ['cyanBright', 'bgCyanBright'],
  ['whiteBright', 'bgWhiteBright'],
] as const;

/** A frame as lines of text for a pipe, a file or a terminal. Each line ends in the default colours. */
export function frameText(block: CellBlock, colors: ColorDepth): string {
  const chalk = new Chalk({ level: LEVELS[colors] });
  const styles = new Map<string, ChalkInstance>();
  const lines = blockLines(block, colors !== 'none').map((runs) =>
    runs.map(({ text, fg, bg, attr }) => {
      const id = `${fg} ${bg} ${attr}`;
      const style = styles.get(id) ?? styleOf(chalk, fg, bg, attr);
      styles.set(id, style);
      return style(text);
    }),
  );
  return lines.map((runs) => `${runs.join('')}\n`).join('');
}

function styleOf(chalk: ChalkInstance, fg: number, bg: number, attr: number): ChalkInstance {
  const set = ATTRIBUTES.filter((name) => (attr & Attribute[name]) !== 0);
  return set.reduce((style, name) => style[name], onBackground(inColor(chalk, fg), bg));
}

function inColor(style: ChalkInstance, color: number): ChalkInstance {
  if (color < 0) return style;
  if (color < FIRST_16.length) return style[FIRST_16[color]![0]];
  return color < TRUE_COLOR ? style.ansi256(color) : style.rgb(...channels(color));
}

function onBackground(style: ChalkInstance, color: number): ChalkInstance {
  if (color < 0) return style;
  if (color < FIRST_16.length) return style[FIRST_16[color]![1]];
  return color < TRUE_COLOR ? style.bgAnsi256(color) : style.bgRgb(...channels(color));
}

function channels(color: number): [red: number, green: number, blue: number] {
  return [(color >> 16) & 0xff, (color >> 8) & 0xff, color & 0xff];
}
