import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../base/time.ts';
import { Monitor } from '../monitor/monitor.ts';
import type { Filter } from '../model/filter.ts';
import type { EventSource } from '../source/event-source.ts';
import { blockText } from '../terminal/block-text.ts';
import { Screen } from '../terminal/screen.ts';
import { FramePainter } from '../ui/frame-painter.ts';
import { createTheme } from '../ui/theme.ts';
import { KEY_TABLE } from '../view/key-table.ts';
import { initialView } from './initial-view.ts';
import type { Options } from './options.ts';

const PUMP_EVERY_MS = 50;

/** What the text is written to. */
export interface OnceOutput {
  readonly width: number;
  readonly height: number;
  readonly color: boolean;
  readonly unicode: boolean;
}

/** Traces until the trace time reaches `untilNs`, then returns one frame as text. */
export async function frameOnce(
  { source, clock }: { source: EventSource; clock: Clock },
  filter: Filter,
  options: Options,
  output: OnceOutput,
  untilNs: number,
): Promise<string> {
  const monitor = new Monitor({ source, historyBytes: options.historyBytes, filter });
  while (clock.nowNs() < untilNs) {
    monitor.pump();
    await sleep(PUMP_EVERY_MS);
  }
  while (!monitor.pump());
  const { color, unicode } = output;
  const screen = new Screen(output.width, output.height, {
    colors: color ? '256' : 'none',
    unicode,
  });
  const theme = createTheme(color ? 2 : 0);
  const painter = new FramePainter(monitor, screen, { theme, bindings: KEY_TABLE, unicode, color });
  painter.paint(initialView(options), clock.nowNs());
  painter.dispose();
  return blockText(screen.cells, color);
}
