import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { chosenBackground } from '../../base/background.ts';
import type { Background } from '../../base/background.ts';
import { END_SIGNALS } from '../../base/end-signals.ts';
import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import type { Clock } from '../../base/time.ts';
import { Monitor } from '../../monitor/monitor.ts';
import { detectCapabilities } from '../../terminal/capabilities.ts';
import type { ColorDepth } from '../../terminal/color.ts';
import { Screen } from '../../terminal/screen.ts';
import { FramePainter } from '../../ui/frame/frame-painter.ts';
import { sceneStore } from '../../ui/frame/scene-store.ts';
import { Scene } from '../../ui/frame/scene.ts';
import { createTheme, THEME_LEVEL } from '../../ui/text/theme.ts';
import { withFilterAndLayer } from '../../view/reduce/layers.ts';
import type { ViewState } from '../../view/state.ts';
import { EndRequest } from '../process/end-request.ts';
import type { Ending } from '../process/end-request.ts';
import { layersAsked } from '../open/layers-of-programs.ts';
import { initialView } from '../session/initial-view.ts';
import type { OpenedSource } from '../open/opened-source.ts';
import { STDIN_FILE } from '../options/options.ts';
import type { Options } from '../options/options.ts';
import { tell } from '../process/print.ts';
import { readRest } from '../jobs/read-rest.ts';
import type { SessionRecording } from '../jobs/session-recording.ts';
import type { PlaybackControl } from '../playback/playback-control.ts';
import { frameText } from './frame-text.ts';

const PUMP_EVERY_MS = 50;
/** After this long without the end of standard input, a line says why there is no frame. */
const WAITING_TOLD_AFTER_MS = 1000;
const WAITING = 'the frame comes when standard input ends; record --duration TIME ends by itself';

/** The stream that the text is written to. */
export interface OnceOutput {
  readonly width: number;
  readonly height: number;
  readonly colors: ColorDepth;
  readonly background: Background;
  readonly unicode: boolean;
  readonly fullBlocksOnly: boolean;
}

const DEFAULT_WIDTH = 80;
const DEFAULT_HEIGHT = 24;

/** Size and colours of the frame: from the options, else from the terminal, if there is one. */
export function onceOutput({ columns, rows, color, view }: Options): OnceOutput {
  const { stdout } = process;
  const found = detectCapabilities(process.env, stdout);
  const terminal = stdout.isTTY ? found.size(stdout) : undefined;
  const width = columns ?? terminal?.columns ?? DEFAULT_WIDTH;
  // One line less than the terminal, or the shell prompt would push the first line out.
  const height = rows ?? (terminal === undefined ? DEFAULT_HEIGHT : Math.max(1, terminal.rows - 1));
  const colors = depthFor(color, found.colors);
  const background = chosenBackground(view.background ?? 'auto', found.background);
  const { unicode, fullBlocksOnly } = found;
  return { width, height, colors, background, unicode, fullBlocksOnly };
}

/** Colours for an unknown reader: as many as nearly all terminals have. */
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
 * Traces until `--duration` has passed since the trace started, or loads what is replayed, then returns
 * one frame as text. With `--write`, what it shows is recorded.
 */
export async function frameOnce(
  opened: OpenedSource,
  options: Options,
  output: OnceOutput,
): Promise<Result<OnceEnding>> {
  const { source, clock, filter, playback } = opened;
  // Takes the best view of a demo except for the column width, which fits what there is.
  const chosen = initialView(options, { ...opened.bestView?.settings, intervalNs: undefined });
  const traceLatency = source.info.origin?.latency;
  const view = withFilterAndLayer({ ...chosen, traceLatency }, filter, layersAsked(options));
  const { historyBytes } = options;
  const monitor = new Monitor({ source, historyBytes, filter: view.filter, layer: view.layer });
  const scene = sceneOf(monitor, opened, output);
  if (playback !== undefined) {
    const waiting = options.files.includes(STDIN_FILE) ? tellLater(WAITING) : undefined;
    const loaded = await load(scene, clock, playback, view);
    clearTimeout(waiting);
    const failure = opened.nothingRead?.();
    if (failure !== undefined) return err(failure);
    const frame = frameOf(scene, fitted(scene, loaded, opened), opened, output);
    return ok({ ...UNRECORDED, frame });
  }
  const tracing = new OnceTracing(monitor, clock, options.durationNs);
  const ended = await tracing.run(opened, options);
  if (!ended.ok) return ended;
  return ok({ ...ended.value, frame: frameOf(scene, fitted(scene, view, opened), opened, output) });
}

/** In a log, this would be noise. */
function tellLater(text: string): NodeJS.Timeout | undefined {
  if (!process.stderr.isTTY) return undefined;
  return setTimeout(() => {
    tell(`ioheat: ${text}\n`);
  }, WAITING_TOLD_AFTER_MS);
}

const UNRECORDED: Ending = { message: '', failure: undefined, signal: undefined };

function sceneOf(
  monitor: Monitor,
  { playback }: OpenedSource,
  { width, height, colors, background, unicode, fullBlocksOnly }: OnceOutput,
): Scene {
  const look = {
    theme: createTheme(THEME_LEVEL[colors], background),
    bindings: [],
    unicode: unicode && !fullBlocksOnly,
    color: colors !== 'none',
    depth: colors,
    playback: playback && (() => playback.status()),
  };
  return new Scene(monitor, look, width, height);
}

function frameOf(
  scene: Scene,
  view: ViewState,
  { clock, recordedOnly, kernel }: OpenedSource,
  output: OnceOutput,
): string {
  const screen = new Screen(output.width, output.height, output);
  const painter = new FramePainter(scene, screen, { recordedOnly, kernel });
  painter.paint(view, clock.nowNs());
  painter.dispose();
  return frameText(screen.cells, output.colors);
}

/** The view with columns that fit what there is. */
function fitted(scene: Scene, view: ViewState, { clock, playback }: OpenedSource): ViewState {
  const store = sceneStore(scene, view, {
    nowNs: () => clock.nowNs(),
    replay: () => playback?.extent(),
  });
  store.dispatch({ type: 'passTime' });
  store.dispatch({ type: 'notify', notice: undefined });
  return store.state;
}

/** Traces for some ns before the frame. */
class OnceTracing {
  private recording: SessionRecording | undefined;
  private readonly endRequest = new EndRequest();

  constructor(
    private readonly monitor: Monitor,
    private readonly clock: Clock,
    private readonly durationNs: number,
  ) {}

  async run(opened: OpenedSource, options: Options): Promise<Result<Ending>> {
    const { file } = options.recording;
    const started = file === undefined ? ok('') : await this.record(file, opened, options);
    if (!started.ok) return started;
    while (this.clock.nowNs() < this.durationNs && this.endRequest.signal === undefined) {
      this.pump();
      await sleep(PUMP_EVERY_MS);
    }
    readRest(() => !this.pump());
    const message = (await this.recording?.stop()) ?? '';
    return ok({ message, failure: this.recording?.failure, signal: this.endRequest.signal });
  }

  private async record(
    file: string,
    { recordedOnly }: OpenedSource,
    { recording: options }: Options,
  ): Promise<Result<string>> {
    // Without a file to close, a signal may end the program by default.
    for (const signal of END_SIGNALS) process.on(signal, this.endRequest.accept);
    const { SessionRecording } = await import('../jobs/session-recording.ts');
    this.recording = new SessionRecording({
      monitor: this.monitor,
      clock: this.clock,
      options,
      recordedOnly,
    });
    return this.recording.start(file, options.force);
  }

  /** Reads from the source; false while more is waiting. */
  private pump(): boolean {
    const isDrained = this.monitor.pump();
    this.recording?.tick();
    return isDrained;
  }
}

/** Reads until the moment to show is loaded. */
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
