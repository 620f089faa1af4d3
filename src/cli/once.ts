import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../base/time.ts';
import { Monitor } from '../monitor/monitor.ts';
import { detectCapabilities } from '../terminal/capabilities.ts';
import { blockText } from '../terminal/block-text.ts';
import type { ColorDepth } from '../terminal/color.ts';
import { Screen } from '../terminal/screen.ts';
import { FramePainter } from '../ui/frame-painter.ts';
import { createTheme, THEME_LEVEL } from '../ui/theme.ts';
import { KEY_TABLE } from '../view/key-table.ts';
import type { ViewState } from '../view/view-state.ts';
import { initialView } from './initial-view.ts';
import type { Opened } from './opened.ts';
import type { Options } from './options.ts';
import type { PlaybackControl } from './replay/playback-control.ts';

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

/** Traces until `--duration` has passed since the trace began, or loads what is replayed, then returns one frame as text. */
export async function frameOnce(
  { source, clock, filter, recordedOnly, cgroups, playback, kernel }: Opened,
  options: Options,
  { width, height, colors, unicode }: OnceOutput,
): Promise<string> {
  const monitor = new Monitor({ source, historyBytes: options.historyBytes, filter, cgroups });
  let view = initialView(options.view);
  if (playback === undefined) await trace(monitor, clock, options.durationNs);
  else view = await load(monitor, playback, view);
  const color = colors !== 'none';
  const screen = new Screen(width, height, { colors, unicode });
  const frame = {
    theme: createTheme(THEME_LEVEL[colors]),
    bindings: KEY_TABLE,
    unicode,
    color,
    depth: colors,
    recordedOnly,
    kernel,
    playback: playback && (() => playback.status()),
  };
  const painter = new FramePainter(monitor, screen, frame);
  painter.paint(view, clock.nowNs());
  painter.dispose();
  return blockText(screen.cells, color);
}

async function trace(monitor: Monitor, clock: Clock, durationNs: number): Promise<void> {
  while (clock.nowNs() < durationNs) {
    monitor.pump();
    await sleep(PUMP_EVERY_MS);
  }
  while (!monitor.pump());
}

/** Reads on until the place to show is there. */
async function load(
  monitor: Monitor,
  playback: PlaybackControl,
  view: ViewState,
): Promise<ViewState> {
  let next = playback.begin(view, 0, false);
  for (let isDone = false; !isDone; isDone = playback.isThere) {
    const isDrained = monitor.pump();
    next = playback.tick(next, () => 0);
    // A stream brings more only while somebody waits for it.
    await (isDrained ? sleep(1) : setImmediate());
  }
  return { ...next, notice: undefined };
}
