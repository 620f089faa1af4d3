import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { END_SIGNALS } from '../base/end-signals.ts';
import type { Result } from '../base/result.ts';
import { ok } from '../base/result.ts';
import type { Clock } from '../base/time.ts';
import { Monitor } from '../monitor/monitor.ts';
import { detectCapabilities } from '../terminal/capabilities.ts';
import { blockText } from '../terminal/block-text.ts';
import type { ColorDepth } from '../terminal/color.ts';
import { Screen } from '../terminal/screen.ts';
import { FramePainter } from '../ui/frame/frame-painter.ts';
import { sceneStore } from '../ui/frame/scene-store.ts';
import { Scene } from '../ui/frame/scene.ts';
import { createTheme, THEME_LEVEL } from '../ui/theme.ts';
import { KEY_TABLE } from '../view/keys/key-table.ts';
import type { ViewState } from '../view/state.ts';
import { EndRequest } from './end-request.ts';
import type { Ending } from './end-request.ts';
import { initialView } from './initial-view.ts';
import type { Opened } from './opened.ts';
import type { Options } from './options.ts';
import type { SessionRecording } from './record/session-recording.ts';
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

export interface OnceEnding extends Ending {
  readonly frame: string;
}

/**
 * Traces until `--duration` has passed since the trace began, or loads what is replayed, then returns
 * one frame as text. With `--write`, what it shows is recorded.
 */
export async function frameOnce(
  opened: Opened,
  options: Options,
  output: OnceOutput,
): Promise<Result<OnceEnding>> {
  const { source, clock, filter, cgroups, playback } = opened;
  const monitor = new Monitor({ source, historyBytes: options.historyBytes, filter, cgroups });
  const scene = sceneOf(monitor, opened, output);
  const view = initialView(options.view);
  if (playback !== undefined) {
    const loaded = await load(scene, clock, playback, view);
    return ok({ ...UNRECORDED, frame: frameOf(scene, loaded, opened, output) });
  }
  const tracing = new OnceTracing(monitor, clock, options.durationNs);
  const ended = await tracing.run(opened, options);
  return ended.ok ? ok({ ...ended.value, frame: frameOf(scene, view, opened, output) }) : ended;
}

const UNRECORDED: Ending = { told: '', failure: undefined, signal: undefined };

function sceneOf(
  monitor: Monitor,
  { playback }: Opened,
  { width, height, colors, unicode }: OnceOutput,
): Scene {
  const look = {
    theme: createTheme(THEME_LEVEL[colors]),
    bindings: KEY_TABLE,
    unicode,
    color: colors !== 'none',
    depth: colors,
    playback: playback && (() => playback.status()),
  };
  return new Scene(monitor, look, width, height);
}

function frameOf(
  scene: Scene,
  view: ViewState,
  { clock, recordedOnly, kernel }: Opened,
  { width, height, colors, unicode }: OnceOutput,
): string {
  const screen = new Screen(width, height, { colors, unicode });
  const painter = new FramePainter(scene, screen, { recordedOnly, kernel });
  painter.paint(view, clock.nowNs());
  painter.dispose();
  return blockText(screen.cells, colors !== 'none');
}

/** The time before the frame. */
class OnceTracing {
  private recording: SessionRecording | undefined;
  private readonly endRequest = new EndRequest();

  constructor(
    private readonly monitor: Monitor,
    private readonly clock: Clock,
    private readonly durationNs: number,
  ) {}

  async run(opened: Opened, options: Options): Promise<Result<Ending>> {
    const { file } = options.recording;
    const started = file === undefined ? ok('') : await this.record(file, opened, options);
    if (!started.ok) return started;
    while (this.clock.nowNs() < this.durationNs && this.endRequest.signal === undefined) {
      this.pump();
      await sleep(PUMP_EVERY_MS);
    }
    while (!this.pump());
    const told = (await this.recording?.stop()) ?? '';
    return ok({ told, failure: this.recording?.failure, signal: this.endRequest.signal });
  }

  private async record(
    file: string,
    { cgroups, recordedOnly }: Opened,
    { recording: options }: Options,
  ): Promise<Result<string>> {
    // Without a file to close, a signal may end the program as it does by default.
    for (const signal of END_SIGNALS) process.on(signal, this.endRequest.accept);
    const { SessionRecording } = await import('./record/session-recording.ts');
    this.recording = new SessionRecording({
      monitor: this.monitor,
      cgroups,
      options,
      recordedOnly,
    });
    return this.recording.start(file);
  }

  /** False while more waits. */
  private pump(): boolean {
    const isDrained = this.monitor.pump();
    this.recording?.tick();
    return isDrained;
  }
}

/** Reads on until the place to show is there. */
async function load(
  scene: Scene,
  clock: Clock,
  playback: PlaybackControl,
  view: ViewState,
): Promise<ViewState> {
  const store = sceneStore(scene, view, { nowNs: () => clock.nowNs() });
  for (const action of playback.begin(view, 0, false)) store.dispatch(action);
  for (let isDone = false; !isDone; isDone = playback.isThere) {
    const isDrained = scene.monitor.pump();
    for (const action of playback.tick(store.state, () => 0)) store.dispatch(action);
    // A stream brings more only while somebody waits for it.
    await (isDrained ? sleep(1) : setImmediate());
  }
  store.dispatch({ type: 'notify', notice: undefined });
  return store.state;
}
