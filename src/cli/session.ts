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
import { FramePainter } from '../ui/frame/frame-painter.ts';
import { pointedActions } from '../ui/frame/pointed-actions.ts';
import { sceneStore } from '../ui/frame/scene-store.ts';
import { Scene } from '../ui/frame/scene.ts';
import type { PictureView } from '../ui/picture/picture-view.ts';
import { createTheme, THEME_LEVEL } from '../ui/theme.ts';
import type { Action } from '../view/action.ts';
import type { ProgramEffect } from '../view/effect.ts';
import { actionOf } from '../view/keys/find-binding.ts';
import { KEY_TABLE } from '../view/keys/key-table.ts';
import { settingsOf } from '../view/settings.ts';
import type { ViewState } from '../view/state.ts';
import type { ViewStore } from '../view/store.ts';
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

const NO_REPLAY: Action = { type: 'notify', notice: 'for recordings: ioheat replay FILE' };

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

/** One session in front of a terminal: owns the order of pump, dispatch and paint. */
export class Session {
  readonly monitor: Monitor;
  private readonly store: ViewStore;
  private readonly screen: Screen;
  private readonly output: TerminalOutput;
  private readonly scene: Scene;
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
    const { columns, rows } = capabilities.size(streams.output);
    const { colors, unicode } = capabilities;
    this.screen = new Screen(columns, rows, { colors, unicode });
    const theme = createTheme(THEME_LEVEL[colors]);
    const color = colors !== 'none';
    const { playback, kernel } = parts;
    const status = playback && (() => playback.status());
    const look = { theme, bindings: KEY_TABLE, unicode, color, depth: colors, playback: status };
    this.loader = playback && new LoadPacer(playback, () => this.pump(1));
    this.scene = new Scene(this.monitor, look, columns, rows);
    const view = { ...initialView(options.view, settings, notice), filter };
    this.store = sceneStore(this.scene, view, {
      nowNs: this.nowNs.bind(this),
      deadline: this.deadline.bind(this),
      replay: () => playback?.extent(),
      run: this.carryOut.bind(this),
      changed: (before, after, action) => playback?.follow(before, after, action) ?? [],
    });
    const onReady = this.present.bind(this);
    const mouse = view.mouse ? 'drag' : 'off';
    this.output = new TerminalOutput(streams, { mouse, onReady, guardian: parts.guardian });
    this.painter = new FramePainter(this.scene, this.screen, {
      ...{ recordedOnly, kernel },
      recording: () => this.files.shown,
      onLoaded: () => {
        if (!this.isOver) this.paint();
      },
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
      dispatch: this.dispatch.bind(this),
      picture: this.picture.bind(this),
      nowNs: this.nowNs.bind(this),
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

  private get view(): ViewState {
    return this.store.state;
  }

  private nowNs(): number {
    return this.parts.clock.nowNs();
  }

  /** What is there from the start belongs on the first frame. */
  private open(): void {
    const { playback } = this.parts;
    for (const action of playback?.begin(this.view, this.screenNs()) ?? [])
      this.store.dispatch(action);
    this.loader?.load(FIRST_LOAD_MS);
    const untilMs = performance.now() + FIRST_PUMPS_MS;
    if (playback === undefined) while (!this.pump() && performance.now() < untilMs);
  }

  private picture(): PictureView {
    return this.scene.picture(this.view, this.nowNs());
  }

  /** Time that fits into the picture. */
  private screenNs(): number {
    return this.picture().columns * this.view.intervalNs;
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
    for (const action of playback?.tick(this.view, () => this.screenNs()) ?? [])
      this.store.dispatch(action);
    return isDrained;
  }

  private paint(): void {
    if (this.typing.takenMs !== undefined) this.isUnpainted = true;
    else this.paintNow();
  }

  private paintNow(): void {
    this.isUnpainted = false;
    this.painter.paint(this.view, this.nowNs(), this.deadline());
    this.present();
    clearImmediate(this.going);
    if (this.painter.isUnfinished) this.going = setImmediate(this.paint.bind(this));
    else if (this.view.seeks !== undefined)
      this.going = setImmediate(() => {
        this.store.dispatch({ type: 'seekOn' });
        this.paint();
      });
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
    if (event.kind === 'key') {
      const action = actionOf(this.view.mode, keyName(event));
      if (action !== undefined) this.dispatch(action);
      return;
    }
    if (event.kind === 'paste') {
      this.dispatch({ type: 'paste', text: event.text });
      return;
    }
    const { scene, view, painter } = this;
    this.dispatch(...pointedActions(scene, event, view, painter.paintedAtNs));
  }

  /** Paints what the actions lead to, unless the terminal is given back by then. */
  private dispatch(...actions: readonly Action[]): void {
    const before = this.view;
    for (const action of actions) this.store.dispatch(action);
    if (this.view !== before && !this.isOver) this.paint();
  }

  private saveSettings(): string {
    return saveSettings(settingsPath(process.env), settingsOf(this.view));
  }

  private carryOut(effect: ProgramEffect): Action | undefined {
    const { playback } = this.parts;
    switch (effect) {
      case 'quit':
        this.quit();
        return undefined;
      case 'suspend':
        suspendProcess(this.output);
        return undefined;
      case 'redraw':
        this.redraw();
        return undefined;
      case 'saveSettings':
        return { type: 'notify', notice: this.saveSettings() };
      case 'slower':
        return playback?.stepSpeed(-1) ?? NO_REPLAY;
      case 'faster':
        return playback?.stepSpeed(1) ?? NO_REPLAY;
      case 'nextGap':
        return playback?.seekGap(this.view) ?? NO_REPLAY;
      case 'toggleRecording':
        if (this.files.shown === undefined) return { type: 'openRecord' };
        void this.files.carryOut(effect);
        return undefined;
      case 'exportView':
      case 'startRecording':
      case 'saveHistory':
      case 'cancelJob':
        void this.files.carryOut(effect);
        return undefined;
    }
  }

  private redraw(): void {
    // What is wiped away is the frame that the keys before it have led to.
    if (this.isUnpainted) this.paintNow();
    this.screen.invalidate();
    this.paint();
  }
}
