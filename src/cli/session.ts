import type { Result } from '../base/result.ts';
import { ok } from '../base/result.ts';
import type { Clock, ShouldYield } from '../base/time.ts';
import { Monitor } from '../monitor/monitor.ts';
import type { CgroupNames } from '../model/cgroup-names.ts';
import type { Filter } from '../filter/filter.ts';
import type { EventSource } from '../source/event-source.ts';
import type { Capabilities } from '../terminal/capabilities.ts';
import type { Guardian } from '../terminal/guardian.ts';
import { keyName } from '../terminal/keys.ts';
import type { InputEvent } from '../terminal/keys.ts';
import { installRestoreOnExit, suspendProcess } from '../terminal/restore-on-exit.ts';
import { Screen } from '../terminal/screen.ts';
import { TerminalOutput } from '../terminal/terminal-output.ts';
import type { TerminalStreams } from '../terminal/terminal-output.ts';
import { FramePainter } from '../ui/frame-painter.ts';
import { createTheme, THEME_LEVEL } from '../ui/theme.ts';
import type { Action, ActionContext, Effect } from '../view/action.ts';
import { KEY_TABLE, meaningOf } from '../view/key-table.ts';
import { reduce } from '../view/reduce.ts';
import { settingsOf } from '../view/settings.ts';
import type { ViewState } from '../view/view-state.ts';
import { EndRequest } from './end-request.ts';
import type { Ending } from './end-request.ts';
import { initialView } from './initial-view.ts';
import type { Options } from './options.ts';
import { SessionFiles } from './session-files.ts';
import { LoadPacer } from './replay/load-pacer.ts';
import type { PlaybackControl } from './replay/playback-control.ts';
import { Typing } from './typing.ts';
import { loadSettings, saveSettings, settingsPath } from './settings-file.ts';

/** Often enough that a full ring is rare: 32 MB take 400,000 I/Os. */
const PUMP_EVERY_MS = 50;
/** Every second one draws: ten frames a second are steady to the eye and cheap over a slow link. */
const TICKS_PER_FRAME = 2;
/**
 * How long a picture of much history is counted before it is painted as far as it goes: half of what a
 * frame may take. The rest is counted in further parts, keys in between.
 */
const COUNT_MS = 15;
/** A past that is there from the start belongs on the first frame, unless it is very long. */
const FIRST_PUMPS_MS = 200;
const FIRST_LOAD_MS = 100;

const NO_REPLAY = 'for recordings: ioheat replay FILE';

/**
 * A recorder at the other end of a pipe, and a `sudo` or `ssh` around it, put the terminal back as they
 * found it when they end, which is a moment after the stream.
 */
const RETAKES = 2000 / PUMP_EVERY_MS;

/** How long a stalled terminal may hold up the end of the program. */
const LAST_FRAME_MS = 200;

export interface SessionParts {
  readonly source: EventSource;
  readonly clock: Clock;
  readonly filter: Filter;
  readonly recordedOnly: string;
  /** What is replayed; absent when nothing is. */
  readonly playback?: PlaybackControl | undefined;
  readonly kernel?: string | undefined;
  readonly cgroups: CgroupNames;
  readonly options: Options;
  readonly streams: TerminalStreams;
  readonly capabilities: Capabilities;
  readonly guardian: Guardian;
}

export interface SessionEnding extends Ending {
  /** False where nobody can read any more: the terminal is gone, or takes nothing. */
  readonly canTell: boolean;
}

/** One sitting in front of a terminal: owns the order of pump, reduce and paint. */
export class Session {
  readonly monitor: Monitor;
  private view: ViewState;
  private readonly screen: Screen;
  private readonly output: TerminalOutput;
  private readonly painter: FramePainter;
  private readonly typing = new Typing(this.obey.bind(this), () => {
    if (this.isUnpainted) this.paintNow();
  });
  private readonly files: SessionFiles;
  private readonly loader: LoadPacer | undefined;
  /** The rest of a picture that is not whole yet. */
  private going: NodeJS.Immediate | undefined;
  /** A frame is due when all is obeyed that was typed together. */
  private isUnpainted = false;
  private ticks = 0;
  private retakes = RETAKES;
  /** The terminal is given back: nothing may be drawn any more. */
  private isOver = false;
  private quit: () => void = () => undefined;
  private readonly hasQuit = new Promise<void>((resolve) => (this.quit = resolve));
  private readonly endRequest = new EndRequest();

  constructor(private readonly parts: SessionParts) {
    const { source, options, filter, recordedOnly, cgroups, streams, capabilities } = parts;
    const { historyBytes } = options;
    this.monitor = new Monitor({ source, historyBytes, filter, cgroups });
    const { settings, notice } = loadSettings(settingsPath(process.env));
    this.view = { ...initialView(options.view, settings, notice), filter };
    const { colors, unicode } = capabilities;
    const { columns, rows } = capabilities.size(streams.output);
    this.screen = new Screen(columns, rows, { colors, unicode });
    const onReady = this.present.bind(this);
    const mouse = this.view.mouse ? 'drag' : 'off';
    this.output = new TerminalOutput(streams, { mouse, onReady, guardian: parts.guardian });
    const theme = createTheme(THEME_LEVEL[colors]);
    const color = colors !== 'none';
    const look = { theme, bindings: KEY_TABLE, unicode, color, depth: colors };
    const { playback, kernel } = parts;
    this.loader = playback && new LoadPacer(playback, () => this.pump(1));
    this.painter = new FramePainter(this.monitor, this.screen, {
      ...look,
      recording: () => this.files.shown,
      ...{ recordedOnly, kernel, playback: playback && (() => playback.status()) },
    });
    this.files = new SessionFiles({
      ...{
        monitor: this.monitor,
        cgroups,
        clock: parts.clock,
        recordedOnly,
        unicode,
        options: options.recording,
      },
      view: () => this.view,
      show: this.show.bind(this),
      context: this.context.bind(this),
    });
  }

  /**
   * Draws until the person quits or a signal comes; then the terminal is as it was before, and every
   * file closed. `file` is recorded into from before the first frame.
   */
  async run(file?: string): Promise<Result<SessionEnding>> {
    // First, so that no signal leaves the recording without its end.
    this.endRequest.onFirst = this.quit;
    installRestoreOnExit(this.output, this.endRequest.accept);
    const started = file === undefined ? ok('') : await this.files.record(file);
    if (!started.ok) return started;
    await this.draw();
    const canTell = this.output.restore();
    const { signal } = this.endRequest;
    const told = await this.files.stop(signal !== undefined);
    return ok({ told, failure: this.files.failure, signal, canTell });
  }

  private async draw(): Promise<void> {
    const { output, input } = this.parts.streams;
    this.output.enter();
    const resize = this.resize.bind(this);
    output.on('resize', resize);
    const type = this.typing.type.bind(this.typing);
    input?.on('data', type);
    this.open();
    this.paint();
    const timer = setInterval(this.tick.bind(this), PUMP_EVERY_MS);
    await this.hasQuit;
    this.isOver = true;
    clearInterval(timer);
    this.typing.dispose();
    clearImmediate(this.going);
    this.loader?.stop();
    input?.off('data', type);
    // A paused terminal still keeps the process alive.
    input?.pause().unref();
    output.off('resize', resize);
    this.painter.dispose();
    await this.output.whenTaken(LAST_FRAME_MS);
  }

  private show(view: ViewState): void {
    this.view = view;
    if (!this.isOver) this.paint();
  }

  /** What is there from the start belongs on the first frame. */
  private open(): void {
    const { playback } = this.parts;
    if (playback !== undefined) this.view = playback.begin(this.view, this.screenNs());
    this.loader?.load(FIRST_LOAD_MS);
    const untilMs = performance.now() + FIRST_PUMPS_MS;
    if (playback === undefined) while (!this.pump() && performance.now() < untilMs);
  }

  /** Time that fits into the picture. */
  private screenNs(): number {
    return this.context().columns * this.view.intervalNs;
  }

  private context(): ActionContext {
    const nowNs = this.parts.clock.nowNs();
    const context = this.painter.actionContext(this.view, nowNs, this.deadline());
    return { ...context, replay: this.parts.playback?.context() };
  }

  private tick(): void {
    const { playback } = this.parts;
    if (this.loader === undefined) this.pump();
    else this.loader.load();
    if (playback?.hasStreamEnded === true && this.retakes-- > 0) this.output.retakeInput();
    if (this.ticks++ % TICKS_PER_FRAME === 0) this.paint();
  }

  /** False while more waits. */
  private pump(batches?: number): boolean {
    const isDrained = this.monitor.pump(batches);
    this.files.tick();
    const { playback } = this.parts;
    if (playback !== undefined) this.view = playback.tick(this.view, () => this.screenNs());
    return isDrained;
  }

  private paint(): void {
    if (this.typing.takenMs !== undefined) this.isUnpainted = true;
    else this.paintNow();
  }

  private paintNow(): void {
    this.isUnpainted = false;
    this.painter.paint(this.view, this.parts.clock.nowNs(), this.deadline());
    this.present();
    clearImmediate(this.going);
    const next = this.painter.followUp(this.view);
    if (this.painter.isUnfinished) this.going = setImmediate(this.paint.bind(this));
    else if (next !== undefined) this.going = setImmediate(this.reduceBy.bind(this, [next]));
  }

  private deadline(): ShouldYield {
    const overMs = (this.typing.takenMs ?? performance.now()) + COUNT_MS;
    return () => performance.now() >= overMs;
  }

  private present(): void {
    this.output.present(this.screen);
  }

  private resize(): void {
    const { columns, rows } = this.parts.capabilities.size(this.parts.streams.output);
    this.screen.resize(columns, rows);
    this.painter.resize();
    this.paint();
  }

  private obey(event: InputEvent): void {
    if (event.kind === 'key') this.press(keyName(event));
    else if (event.kind === 'paste') this.reduceBy([{ type: 'paste', text: event.text }]);
    else this.reduceBy(this.painter.pointed(event, this.view));
  }

  private press(key: string): void {
    const does = meaningOf(this.view.mode, key);
    if (does === undefined) return;
    if ('effect' in does) {
      this.carryOut(does.effect);
      return;
    }
    this.reduceBy([does.action]);
  }

  private reduceBy(actions: readonly Action[]): void {
    for (const action of actions) {
      const before = this.view;
      const after = reduce(before, action, this.context());
      this.view = this.parts.playback?.follow(action, before, after) ?? after;
      this.monitor.setFilter(this.view.filter);
    }
    if (actions.length > 0) this.paint();
  }

  private replayed(effect: 'slower' | 'faster' | 'nextGap'): ViewState {
    const { playback } = this.parts;
    if (playback === undefined) return { ...this.view, notice: NO_REPLAY };
    if (effect === 'nextGap') return playback.seekGap(this.view);
    return playback.stepSpeed(this.view, effect === 'faster' ? 1 : -1);
  }

  private keepSettings(): string {
    return saveSettings(settingsPath(process.env), settingsOf(this.view));
  }

  private carryOut(effect: Effect): void {
    switch (effect) {
      case 'quit':
        this.quit();
        return;
      case 'suspend':
        suspendProcess(this.output);
        return;
      case 'keepSettings':
        this.view = { ...this.view, notice: this.keepSettings() };
        this.paint();
        return;
      case 'slower':
      case 'faster':
      case 'nextGap':
        this.view = this.replayed(effect);
        this.paint();
        return;
      case 'toggleRecording':
        if (this.files.shown === undefined) this.reduceBy([{ type: 'openRecord' }]);
        else void this.files.carryOut(effect);
        return;
      case 'exportView':
      case 'startRecording':
      case 'savePast':
      case 'callOff':
        void this.files.carryOut(effect);
        return;
      case 'redraw':
        // What is wiped away is the frame that the keys before it have led to.
        if (this.isUnpainted) this.paintNow();
        this.screen.invalidate();
        this.paint();
    }
  }
}
