import { backgroundOf } from '../base/background.ts';
import type { Background, KnownBackground } from '../base/background.ts';

/** OSC 11 with "?" (xterm's control sequences): asks for the colour behind the text. */
export const BACKGROUND_QUESTION = '\x1b]11;?\x07';

const CHANNEL = '([0-9a-f]{1,4})';
const RGB = new RegExp(`^11;rgba?:${CHANNEL}/${CHANNEL}/${CHANNEL}(?:/[0-9a-f]{1,4})?$`, 'i');

/** The background in the text of an answer, between `OSC` and its end; undefined for other answers. */
export function parseAnswer(text: string): KnownBackground | undefined {
  const [, red, green, blue] = RGB.exec(text) ?? [];
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  return backgroundOf(shareOf(red), shareOf(green), shareOf(blue));
}

/** The value of a channel from 0 to 1: `f`, `ff` and `ffff` are all 1. */
function shareOf(digits: string): number {
  return parseInt(digits, 16) / (16 ** digits.length - 1);
}

const DARK_COLORS = ['0', '1', '2', '3', '4', '5', '6', '8'];
const LIGHT_COLORS = ['7', '9', '10', '11', '12', '13', '14', '15'];

/**
 * The background from `COLORFGBG`, which rxvt and Konsole set: `15;0` or `15;default;0`, with the number of the
 * background last. Which of the 16 colours are dark follows Vim.
 */
export function backgroundFromEnvironment(colorFgBg: string | undefined): Background {
  const color = colorFgBg?.split(';').at(-1) ?? '';
  if (DARK_COLORS.includes(color)) return 'dark';
  return LIGHT_COLORS.includes(color) ? 'light' : 'unknown';
}
