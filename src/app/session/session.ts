import { setImmediate as nextTurn } from 'node:timers/promises';
import { chosenBackground } from '../../base/background.ts';
import type { Background } from '../../base/background.ts';
import type { Result } from '../../base/result.ts';
import { formatError, ok } from '../../base/result.ts';
import { NS_PER_MS } from '../../base/time.ts';
import type { Monitor } from '../../monitor/monitor.ts';
import { BACKGROUND_QUESTION } from '../../terminal/background.ts';
import type { Capabilities } from '../../terminal/capabilities.ts';
import type { Guardian } from '../../terminal/guardian.ts';
import { keyName } from '../../terminal/keys.ts';
import type { InputEvent } from '../../terminal/keys.ts';
import { installRestoreOnExit, suspendJob } from '../../terminal/restore-on-exit.ts';
import { Screen } from '../../terminal/screen.ts';
import { TerminalOutput } from '../../terminal/terminal-output.ts';
import type { TerminalStreams } from '../../terminal/terminal-output.ts';
import type { FramePainter } from '../../ui/frame/frame-painter.ts';
import { Pointer } from '../../ui/frame/pointer.ts';
import type { Scene } from '../../ui/frame/scene.ts';
import type { SceneOptions } from '../../ui/frame/scene.ts';
import type { PictureView } from '../../ui/picture/picture-view.ts';
import { createTheme, THEME_LEVEL } from '../../ui/text/theme.ts';
import type { Action, MapSize } from '../../view/action.ts';
import type { ProgramEffect } from '../../view/effect.ts';
import { actionOf } from '../../view/keys/find-binding.ts';
import { KEY_TABLE } from '../../view/keys/key-table.ts';
import { unboundKey } from '../../view/keys/unbound-key.ts';
import { settingsOf } from '../../view/settings.ts';
import { withFilterAndLayer } from '../../view/reduce/layers.ts';
import { DEFAULT_VIEW } from '../../view/state.ts';
import type { ViewState } from '../../view/state.ts';
import type { ViewStore } from '../../view/reduce/store.ts';
import { EndRequest } from '../process/end-request.ts';
import type { Ending } from '../process/end-request.ts';
import { BackgroundQuestion } from './background-question.ts';
import { Frames } from './frames.ts';
import { putNote } from './put-note.ts';
import { initialView } from './initial-view.ts';
import type { Options } from '../options/options.ts';
import type { SessionFiles } from '../jobs/session-files.ts';
import { LoadPacer } from '../playback/load-pacer.ts';
import { layersAsked } from '../open/layers-of-programs.ts';
import type { OpenedSource } from '../open/opened-source.ts';
import type { NoteInbox } from '../notes/note-inbox.ts';
import { InputDispatcher } from './input-dispatcher.ts';
import { show } from './shown.ts';
import type { Shown, ShownSource } from './shown.ts';
import { PUMP_EVERY_MS, Ticker } from './ticker.ts';
import { TypeAhead } from './type-ahead.ts';
import { loadSettings, saveSettings, settingsPath } from './settings-file.ts';

/** A past that exists from the start is on the first frame, which would say that there is no I/O; this is a limit. */
const FIRST_PUMPS_MS = 3000;
const FIRST_LOAD_MS = 100;

const NOT_OF_REPLAYS: Action = {
  type: 'notify',
  notice: 'cannot record a replay; D saves a part of it',
};
const NO_REPLAY: Action = { type: 'notify', notice: 'only in recordings: ioheat replay FILE' };

/**
 * A recorder at the other end of a pipe, and a `sudo` or `ssh` around it, restore the terminal when they
 * end, which is a moment after the stream.
 */
const RETAKES = 2000 / PUMP_EVERY_MS;

/** What quits sooner waits for the answers of a slow terminal: they would be typed into the shell. */
const LAST_ANSWER_MS = 1000;

/** How long a stalled terminal may delay the end of the program. */
const LAST_FRAME_MS = 200;

export interface SessionParts extends Omit<OpenedSource, 'lastWords' | 'notes'> {
  readonly options: Options;
  readonly streams: TerminalStreams;
  readonly capabilities: Capabilities;
  readonly guardian: Guardian;
}

export interface SessionEnding extends Ending {
  /** False where nobody can read any more: the terminal is gone or stalled. */
  readonly canTell: boolean;
}

/** What a source without other wishes is described in. */
const { metric, latency, layout, scale, weight, outlierCut } = DEFAULT_VIEW;
const PLAIN = { metric, latency, layout, scale, weight, outlierCut };

/** One session in front of a terminal: owns the order of pump, dispatch and paint. */
export class Session {
  private shown: Shown;
  private readonly look: SceneOptions;
  private readonly screen: Screen;
  private readonly output: TerminalOutput;
  private readonly inputs = new InputDispatcher(this.obey.bind(this), () => {
    this.frames.keysHandled();
  });
  private readonly ticker = new Ticker({
    onTick: this.tick.bind(this),
    rowsTaken: () => this.monitor.rowsTaken,
    replay: () => this.parts.playback?.status().state,
    nowNs: () => this.nowNs(),
    nextFrameNs: () => this.frames.nextNs,
  });
  private readonly typeAhead = new TypeAhead();
  private readonly question: BackgroundQuestion;
  private readonly loader: LoadPacer | undefined;
  /** The map that the cross-hair is in, while the terminal is too small to show any. */
  private hidden: MapSize | undefined;
  private retakes = RETAKES;
  /** Keys that come after the last one do nothing. */
  private isOver = false;
  /** What `ioheat note` brings. */
  private inbox: NoteInbox | undefined;
  private quit: () => void = () => undefined;
  private readonly hasQuit = new Promise<void>((resolve) => (this.quit = resolve));
  private readonly pointer = new Pointer();
  private readonly endRequest = new EndRequest();
  private readonly frames: Frames;

  constructor(private readonly parts: SessionParts) {
    const { options, filter, streams, capabilities, bestView, playback } = parts;
    const { settings, notice } = loadSettings(settingsPath(process.env));
    const { columns, rows } = capabilities.size(streams.output);
    const { colors, fullBlocksOnly } = capabilities;
    this.screen = new Screen(columns, rows, capabilities);
    const unicode = capabilities.unicode && !fullBlocksOnly;
    const first = initialView(
      options,
      { ...settings, ...bestView?.settings },
      notice ?? bestView?.notice,
    );
    const traceLatency = parts.source.info.origin?.latency;
    const view = withFilterAndLayer({ ...first, traceLatency }, filter, layersAsked(options));
    const theme = createTheme(
      THEME_LEVEL[colors],
      chosenBackground(view.background, capabilities.background),
    );
    const color = colors !== 'none';
    const status = playback && (() => playback.status());
    this.look = { theme, bindings: KEY_TABLE, unicode, color, depth: colors, playback: status };
    this.loader = playback && new LoadPacer(playback, () => this.pump(1));
    const onReady = (): void => {
      this.frames.presentMore();
    };
    const mouse = view.mouse ? 'drag' : 'off';
    const canAnswer = capabilities.answers && streams.input !== undefined;
    this.question = new BackgroundQuestion(canAnswer && view.background === 'auto');
    const question = this.question.isAsked ? BACKGROUND_QUESTION : '';
    this.output = new TerminalOutput(streams, {
      ...{ mouse, question, onReady },
      asksStatus: capabilities.reports && streams.input !== undefined,
      guardian: parts.guardian,
    });
    this.frames = new Frames({
      ...{ screen: this.screen, output: this.output, playback },
      shown: () => this.shown,
      // What is not live takes nothing from a machine in trouble.
      budget: parts.source.info.kind === 'live' ? options.budget : Infinity,
      keysArrivedMs: () => this.inputs.arrivedMs,
      onSought: this.pressKept.bind(this),
    });
    this.shown = this.show(parts, view);
  }

  private show(opened: ShownSource, view: ViewState): Shown {
    const { screen, look, frames, parts } = this;
    return show(opened, view, {
      ...{ screen, look, options: parts.options, playback: parts.playback },
      deadline: frames.deadline.bind(frames),
      run: this.carryOut.bind(this),
      dispatch: this.dispatch.bind(this),
      repaint: frames.paint.bind(frames),
    });
  }

  get monitor(): Monitor {
    return this.shown.monitor;
  }

  private get scene(): Scene {
    return this.shown.scene;
  }

  private get store(): ViewStore {
    return this.shown.store;
  }

  private get painter(): FramePainter {
    return this.shown.painter;
  }

  private get files(): SessionFiles {
    return this.shown.files;
  }

  /**
   * Draws until the user quits or a signal arrives; then the terminal is restored and every file is
   * closed. `file` is recorded to from before the first frame.
   */
  async run(file?: string): Promise<Result<SessionEnding>> {
    // First, so that no signal leaves a recording that is not closed.
    this.endRequest.onFirst = this.quit;
    installRestoreOnExit(this.output, this.endRequest.accept);
    const { force } = this.parts.options.recording;
    const started = file === undefined ? ok('') : await this.files.record(file, force);
    if (!started.ok) return started;
    // A replay ends before what happens now.
    if (this.parts.options.command === 'live') {
      const late = await import('../notes/note-inbox.ts');
      this.inbox = late.NoteInbox.open(liveWords(file));
    }
    await this.draw();
    this.inbox?.close();
    const canTell = this.output.restore();
    const { signal } = this.endRequest;
    const message = await this.files.stop(signal !== undefined);
    // The first source is left to the caller, who reads its counters.
    const { opened } = this.shown;
    if (opened !== this.parts) opened.source.dispose();
    return ok({ message, failure: this.files.failure, signal, canTell });
  }

  private async draw(): Promise<void> {
    const { output, input } = this.parts.streams;
    this.output.enter();
    this.question.asked();
    const resize = this.resize.bind(this);
    output.on('resize', resize);
    const receive = this.inputs.receive.bind(this.inputs);
    input?.on('data', receive);
    this.open();
    // A terminal nearby has answered by now.
    await nextTurn();
    this.frames.paint();
    this.ticker.start();
    await this.hasQuit;
    this.isOver = true;
    this.frames.stop();
    this.ticker.stop();
    await this.question.settled;
    await this.output.whenAnswered(LAST_ANSWER_MS);
    this.inputs.dispose();
    this.loader?.stop();
    input?.off('data', receive);
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
    return this.shown.opened.clock.nowNs();
  }

  /** A past that exists from the start is on the first frame. */
  private open(): void {
    const { playback } = this.parts;
    for (const action of playback?.begin(this.view, this.screenNs()) ?? [])
      this.store.dispatch(action);
    this.loader?.load(FIRST_LOAD_MS);
    const untilMs = performance.now() + FIRST_PUMPS_MS;
    if (playback === undefined) while (!this.pump() && performance.now() < untilMs);
    const { notice } = this.view;
    this.frames.passTime();
    // The width that the first frame has is no news.
    this.store.dispatch({ type: 'notify', notice });
  }

  private picture(): PictureView {
    return this.scene.picture(this.view, this.nowNs());
  }

  /** Ns that fit in the picture. */
  private screenNs(): number {
    return this.picture().columns * this.view.intervalNs;
  }

  private tick(mayPaint: boolean): void {
    const { playback } = this.parts;
    // To take what was counted costs as much as a frame, so it is taken for frames.
    if (this.loader === undefined) this.pump(undefined, () => mayPaint && this.frames.isDue());
    else this.loader.load();
    if (playback?.hasStreamEnded === true && this.retakes-- > 0) this.output.retakeInput();
    if (mayPaint) this.frames.tick();
  }

  /** False while more waits. */
  private pump(batches?: number, isFrame?: () => boolean): boolean {
    const isDrained = this.monitor.pump(batches, isFrame);
    this.takeNotes();
    this.files.tick();
    const { playback } = this.parts;
    for (const action of playback?.tick(this.view, () => this.screenNs()) ?? [])
      this.store.dispatch(action);
    return isDrained;
  }

  private takeNotes(): void {
    for (const { text, ageMs } of this.inbox?.take() ?? []) {
      this.monitor.notes.add(this.nowNs() - ageMs * NS_PER_MS, text);
      this.store.dispatch({ type: 'notify', notice: `note: ${text}`, passes: true });
    }
  }

  /** Undefined without a cross-hair, which is in a cell of it. */
  private mapSize(): MapSize | undefined {
    if (this.view.cursor === undefined) return undefined;
    const { columns, bins } = this.picture();
    return { columns: Math.max(1, columns), bins: Math.max(1, bins) };
  }

  private resize(): void {
    const { columns, rows } = this.parts.capabilities.size(this.parts.streams.output);
    const before = this.hidden ?? this.mapSize();
    this.screen.resize(columns, rows);
    this.painter.resize();
    this.hidden = this.scene.layout.tooSmall ? before : undefined;
    if (before !== undefined && this.hidden === undefined)
      this.store.dispatch({ type: 'resized', before });
    this.frames.hurry();
    this.frames.paint();
  }

  private obey(event: InputEvent): void {
    if (event.kind === 'background') {
      this.question.answered();
      this.recolor(chosenBackground(this.view.background, event.background));
      return;
    }
    if (event.kind === 'status') {
      this.output.answered();
      return;
    }
    if (this.isOver) return;
    this.takeWhatCame();
    this.frames.hurry();
    if (event.kind === 'key') {
      const key = keyName(event);
      if (!this.typeAhead.keep(this.view, key)) this.press(key);
      return;
    }
    if (event.kind === 'paste') {
      this.dispatch({ type: 'paste', text: event.text });
      return;
    }
    const { scene, view, painter } = this;
    this.dispatch(...this.pointer.actions(scene, event, view, painter));
  }

  /** A few I/Os wait for the next frame, but a key that freezes the picture freezes it with what has come by then. */
  private takeWhatCame(): void {
    if (this.loader === undefined) this.pump(undefined, () => false);
  }

  private press(key: string): void {
    const { mode } = this.view;
    this.dispatch(actionOf(mode, key) ?? unboundKey(mode, key));
  }

  /** The first of the keys may start a search again, which the others then wait for. */
  private pressKept(): void {
    for (const key of this.typeAhead.take(this.view))
      if (!this.typeAhead.keep(this.view, key)) this.press(key);
  }

  private recolor(background: Background): void {
    const { theme } = this.scene.options;
    if (theme.background === background) return;
    theme.background = background;
    this.painter.repaint();
    this.frames.paint();
  }

  /** Paints the result of actions, unless the terminal is restored by then. */
  private dispatch(...actions: readonly Action[]): void {
    const before = this.view;
    for (const action of actions) this.store.dispatch(action);
    this.typeAhead.dropOverdue(this.view);
    if (this.view !== before) this.frames.paint();
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
        suspendJob(this.output);
        return undefined;
      case 'redraw':
        this.redraw();
        return undefined;
      case 'saveSettings':
        return { type: 'notify', notice: this.saveSettings() };
      case 'slower':
        return playback?.stepSpeed(-1) ?? this.goOn(-1);
      case 'faster':
        return playback?.stepSpeed(1) ?? this.goOn(1);
      case 'nextGap':
        return playback?.seekGap(this.view) ?? NO_REPLAY;
      case 'toggleRecording':
        if (playback !== undefined) return NOT_OF_REPLAYS;
        if (this.files.shown === undefined) return { type: 'openRecord' };
        void this.files.carryOut(effect);
        return undefined;
      case 'putNote':
        return putNote(this.monitor.notes, this.view, this.monitor.source.info.clockBase);
      case 'exportView':
      case 'startRecording':
      case 'saveHistory':
      case 'cancelJob':
        void this.files.carryOut(effect);
        return undefined;
    }
  }

  /** The next source of a tour takes the place of this one, of which nothing stays but how the view looks. */
  private goOn(step: 1 | -1): Action | undefined {
    const { opened: before, files, painter } = this.shown;
    if (before.next === undefined) return NO_REPLAY;
    if (files.isBusy) return { type: 'notify', notice: 'a file is being written; end it first' };
    const next = before.next(step);
    if (!next.ok) return { type: 'notify', notice: formatError(next.error) };
    const { bestView, filter } = next.value;
    const kept = { ...settingsOf(this.view), ...PLAIN, ...bestView?.settings };
    const asked = { view: {}, at: undefined, speed: 1 };
    this.frames.dropRest();
    this.shown = this.show(next.value, {
      ...initialView(asked, kept, bestView?.notice),
      filter,
    });
    painter.dispose();
    before.source.dispose();
    this.open();
    this.frames.paint();
    return undefined;
  }

  private redraw(): void {
    // Paints what earlier keys have led to before the screen is cleared.
    this.frames.paintPending();
    this.screen.invalidate();
    this.frames.hurry();
    this.frames.paint();
  }
}

function liveWords(file: string | undefined): string {
  return file === undefined ? 'live' : `live, recording ${file}`;
}
