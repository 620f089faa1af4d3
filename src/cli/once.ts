import { setTimeout as sleep } from 'node:timers/promises';
import { Monitor } from '../monitor/monitor.ts';
import { detectCapabilities } from '../terminal/capabilities.ts';
import { blockText } from '../terminal/block-text.ts';
import type { ColorDepth } from '../terminal/color.ts';
import { Screen } from '../terminal/screen.ts';
import { FramePainter } from '../ui/frame-painter.ts';
import { createTheme, THEME_LEVEL } from '../ui/theme.ts';
import { KEY_TABLE } from '../view/key-table.ts';
import { initialView } from './initial-view.ts';
import type { Opened } from './opened.ts';
import type { Options } from './options.ts';

const PUMP_EVERY_MS = 50;

/** What the text is written to. */
export interface OnceOutput {
  readonly width: number;
  readonly height: number;
  readonly colors: ColorDepth;
  readonly unicode: boolean;
}

const DEFAULT_WIDTH = 80;
const DEFAULT_HEIGHT = 24;

/** Size and colours of the frame: as asked for, else as the terminal has them, if it is one. */
export function onceOutput({ columns, rows, color }: Options): OnceOutput {
  const { stdout } = process;
  const found = detectCapabilities(process.env, stdout);
  const width = columns ?? (stdout.isTTY ? stdout.columns : DEFAULT_WIDTH);
  // One line less than the terminal, or the prompt would push the first line out.
  const height = rows ?? (stdout.isTTY ? stdout.rows - 1 : DEFAULT_HEIGHT);
  return { width, height, colors: depthFor(color, found.colors), unicode: found.unicode };
}

/** Where colours are asked for and nothing is known of the reader, as many as nearly all terminals have. */
function depthFor(wanted: Options['color'], found: ColorDepth): ColorDepth {
  if (wanted === 'never') return 'none';
  if (wanted === 'auto' || found !== 'none') return found;
  const asOnTerminal = detectCapabilities({ ...process.env, NO_COLOR: undefined }, { isTTY: true });
  return asOnTerminal.colors === 'none' ? '256' : asOnTerminal.colors;
}

/** Traces until `--duration` has passed since the trace began, then returns one frame as text. */
export async function frameOnce(
  { source, clock, filter, recordedOnly, cgroups }: Opened,
  options: Options,
  { width, height, colors, unicode }: OnceOutput,
): Promise<string> {
  const monitor = new Monitor({ source, historyBytes: options.historyBytes, filter, cgroups });
  while (clock.nowNs() < options.durationNs) {
    monitor.pump();
    await sleep(PUMP_EVERY_MS);
  }
  while (!monitor.pump());
  const color = colors !== 'none';
  const screen = new Screen(width, height, { colors, unicode });
  const frame = {
    theme: createTheme(THEME_LEVEL[colors]),
    bindings: KEY_TABLE,
    unicode,
    color,
    depth: colors,
    recordedOnly,
  };
  const painter = new FramePainter(monitor, screen, frame);
  painter.paint(initialView(options.view), clock.nowNs());
  painter.dispose();
  return blockText(screen.cells, color);
}
