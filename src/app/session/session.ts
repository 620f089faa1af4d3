import { setImmediate as nextTurn } from 'node:timers/promises';
import { chosenBackground } from '../../base/background.ts';
import type { Background } from '../../base/background.ts';
import type { Result } from '../../base/result.ts';
import { formatError, ok } from '../../base/result.ts';
import { NS_PER_MS, NS_PER_SECOND } from '../../base/time.ts';
import type { ShouldYield } from '../../base/time.ts';
import { Monitor } from '../../monitor/monitor.ts';
import { BACKGROUND_QUESTION } from '../../terminal/background.ts';
import type { Capabilities } from '../../terminal/capabilities.ts';
import type { Guardian } from '../../terminal/guardian.ts';
import { keyName } from '../../terminal/keys.ts';
import type { InputEvent } from '../../terminal/keys.ts';
import { installRestoreOnExit, suspendJob } from '../../terminal/restore-on-exit.ts';
import { Screen } from '../../terminal/screen.ts';
import { TerminalOutput } from '../../terminal/terminal-output.ts';
import type { TerminalStreams } from '../../terminal/terminal-output.ts';
import { FramePainter } from '../../ui/frame/frame-painter.ts';
import { pointedActions } from '../../ui/frame/pointed-actions.ts';
import { sceneStore } from '../../ui/frame/scene-store.ts';
import { Scene } from '../../ui/frame/scene.ts';
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
import { LAST_WIDTH_NS } from '../../view/reduce/fit-interval.ts';
import { BackgroundQuestion } from './background-question.ts';
import { FrameBudget } from './frame-budget.ts';
import { isFrameDue, isReplayFrameDue, nextFrameNs } from './frame-due.ts';
import type { FrameTimes, ReplayFrame } from './frame-due.ts';
import { putNote } from './put-note.ts';
import { initialView } from './initial-view.ts';
import type { Options } from '../options/options.ts';
import { SessionFiles } from '../jobs/session-files.ts';
import { LoadPacer } from '../playback/load-pacer.ts';
import { layersAsked } from '../open/layers-of-programs.ts';
import type { OpenedSource } from '../open/opened-source.ts';
import { NoteInbox } from '../notes/note-inbox.ts';
import { InputDispatcher } from './input-dispatcher.ts';
import { PUMP_EVERY_MS, Ticker } from './ticker.ts';
import { TypeAhead } from './type-ahead.ts';
import { loadSettings, saveSettings, settingsPath } from './settings-file.ts';

/**
 * How long a large history is counted before its picture is painted in part: half of what a frame may
 * take. The rest is counted in turns, with keys answered in between.
 */
const COUNT_MS = 15;
/** The first frame answers no key: in part, it would be sent a second time a moment later. */
const FIRST_COUNT_MS = 150;
/** A past that exists from the start is on the first frame, which would say that there is no I/O; this is a limit. */
const FIRST_PUMPS_MS = 3000;
const FIRST_LOAD_MS = 100;

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

type ShownSource = Pick<
  OpenedSource,
  'source' | 'clock' | 'filter' | 'recordedOnly' | 'kernel' | 'next'
>;

/** A source, and what shows it. */
interface Shown {
  readonly opened: ShownSource;
  readonly monitor: Monitor;
  readonly scene: Scene;
  readonly store: ViewStore;
  readonly painter: FramePainter;
  readonly files: SessionFiles;
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
    if (this.isUnpainted) this.paintNow();
    this.isUrgent = false;
  });
  private readonly ticker = new Ticker({
    onTick: this.tick.bind(this),
    rowsTaken: () => this.monitor.rowsTaken,
    replay: () => this.parts.playback?.status().state,
    nowNs: () => this.nowNs(),
    nextFrameNs: () => nextFrameNs(this.frameTimes),
  });
  private readonly typeAhead = new TypeAhead();
  private readonly question: BackgroundQuestion;
  private readonly loader: LoadPacer | undefined;
  /** Continues a picture that is not complete yet. */
  private going: NodeJS.Immediate | undefined;
  /** A frame is due when all keys that arrived together are handled. */
  private isUnpainted = false;
  /** It answers a key, and does not wait for the rest of the frame before. */
  private isUrgent = false;
  /** A frame was due while the terminal was busy with the one before. */
  private isLate = false;
  /** The map that the cross-hair is in, while the terminal is too small to show any. */
  private hidden: MapSize | undefined;
  /** What the last frame showed; `version` is that of history and notes. */
  private painted: ReplayFrame | undefined;
  private retakes = RETAKES;
  /** The terminal is restored: nothing may be drawn any more. */
  private isOver = false;
  /** What `ioheat note` brings. */
  private inbox: NoteInbox | undefined;
  private quit: () => void = () => undefined;
  private readonly hasQuit = new Promise<void>((resolve) => (this.quit = resolve));
  private readonly endRequest = new EndRequest();
  private readonly budget: FrameBudget;

  constructor(private readonly parts: SessionParts) {
    const { options, filter, streams, capabilities, bestView, playback } = parts;
    const { settings, notice } = loadSettings(settingsPath(process.env));
    const { columns, rows } = capabilities.size(streams.output);
    const { colors, unicode } = capabilities;
    this.screen = new Screen(columns, rows, { colors, unicode });
    // What is not live takes nothing from a machine in trouble.
    const isLive = parts.source.info.kind === 'live';
    this.budget = new FrameBudget(isLive ? options.budget : Infinity);
    const view = withFilterAndLayer(
      initialView(options, { ...settings, ...bestView?.settings }, notice ?? bestView?.notice),
      filter,
      layersAsked(options),
    );
    const theme = createTheme(
      THEME_LEVEL[colors],
      chosenBackground(view.background, capabilities.background),
    );
    const color = colors !== 'none';
    const status = playback && (() => playback.status());
    this.look = { theme, bindings: KEY_TABLE, unicode, color, depth: colors, playback: status };
    this.loader = playback && new LoadPacer(playback, () => this.pump(1));
    const onReady = this.presentMore.bind(this);
    const mouse = view.mouse ? 'drag' : 'off';
    const canAnswer = capabilities.answers && streams.input !== undefined;
    this.question = new BackgroundQuestion(canAnswer && view.background === 'auto');
    const question = this.question.isAsked ? BACKGROUND_QUESTION : '';
    this.output = new TerminalOutput(streams, {
      ...{ mouse, question, onReady },
      asksStatus: capabilities.reports && streams.input !== undefined,
      guardian: parts.guardian,
    });
    this.shown = this.show(parts, view);
  }

  /** Everything that shows one source. */
  private show(opened: ShownSource, view: ViewState): Shown {
    const { screen, look, parts } = this;
    const { source, clock, recordedOnly, kernel } = opened;
    const { playback, options } = parts;
    const { filter, layer } = view;
    const { historyBytes } = options;
    const monitor = new Monitor({ source, historyBytes, filter, layer });
    const scene = new Scene(monitor, look, screen.width, screen.height);
    const nowNs = this.nowNs.bind(this);
    const store = sceneStore(scene, view, {
      nowNs,
      deadline: this.deadline.bind(this),
      replay: () => playback?.extent(),
      run: this.carryOut.bind(this),
      changed: (before, after, action) => playback?.follow(before, after, action) ?? [],
    });
    const files = new SessionFiles({
      ...{ monitor, clock, recordedOnly, unicode: look.unicode, options: options.recording },
      view: () => this.view,
      dispatch: this.dispatch.bind(this),
      picture: this.picture.bind(this),
      nowNs,
    });
    const painter = new FramePainter(scene, screen, {
      ...{ recordedOnly, kernel },
      recording: () => files.shown,
      onLoaded: () => {
        if (!this.isOver) this.paint();
      },
    });
    return { opened, monitor, scene, store, painter, files };
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
    if (this.parts.options.command === 'live') this.inbox = NoteInbox.open(liveWords(file));
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
    this.paint();
    this.ticker.start();
    await this.hasQuit;
    this.isOver = true;
    this.ticker.stop();
    await this.question.settled;
    await this.output.whenAnswered(LAST_ANSWER_MS);
    this.inputs.dispose();
    clearImmediate(this.going);
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

  /** Grows with every change of what a frame shows. */
  private get version(): number {
    const { history, notes } = this.monitor;
    return history.version + notes.version;
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
    this.passTime();
    // The width that the first frame has is no news.
    this.store.dispatch({ type: 'notify', notice });
  }

  /** A terminal that is too small for a picture has no columns for the trace to fit in. */
  private passTime(): void {
    if (!this.scene.layout.tooSmall) this.store.dispatch({ type: 'passTime' });
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
    if (this.loader === undefined) this.pump(undefined, () => mayPaint && this.isFrameDue());
    else this.loader.load();
    if (playback?.hasStreamEnded === true && this.retakes-- > 0) this.output.retakeInput();
    if (!mayPaint) return;
    this.keepBudget();
    if (this.isFrameDue()) this.paintWhenReady();
  }

  /** The rest of a frame comes before the next one: else the bottom of the screen would never be sent. */
  private paintWhenReady(): void {
    if (this.output.isReady()) this.paint();
    else this.isLate = true;
  }

  /** What else changes than I/O and time paints by itself. */
  private isFrameDue(): boolean {
    if (this.parts.playback !== undefined) return isReplayFrameDue(this.painted, this.frame);
    return isFrameDue({
      ...this.frameTimes,
      nowNs: this.nowNs(),
      hasNews: this.version !== this.painted?.version,
    });
  }

  private get frameTimes(): FrameTimes {
    const { intervalNs, frozenAtNs = Infinity } = this.view;
    const { paintedAtNs } = this.painter;
    // The column in which the picture was frozen fills up to its end, and its figures are counted a second later.
    const isMoving = paintedAtNs < frozenAtNs + intervalNs + NS_PER_SECOND;
    const columnNs = isMoving ? intervalNs : undefined;
    return { paintedAtNs, columnNs, apartNs: this.budget.apartNs };
  }

  /** What a frame would show now. */
  private get frame(): ReplayFrame {
    const { view, version } = this;
    const { state, share } = this.parts.playback?.status() ?? {};
    return { view, version, state, share, atMs: performance.now() };
  }

  /** Frames and figures that nobody asked for with a key become rarer above the budget. */
  private keepBudget(): void {
    const { budget, view, scene } = this;
    const { oneIn = 1, callsOneIn = 1 } = scene.reports.arrived?.completeness ?? {};
    budget.look(view.intervalNs, oneIn > 1 || callsOneIn > 1);
    scene.reports.framesPerSecond = budget.framesPerSecond;
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

  private paint(): void {
    if (this.inputs.arrivedMs !== undefined) this.isUnpainted = true;
    else this.paintNow();
  }

  private paintNow(): void {
    this.isUnpainted = false;
    if (this.changesWithTime) this.passTime();
    const deadline = this.deadline();
    this.painted = this.frame;
    this.isLate = false;
    this.budget.draw(() => {
      this.painter.paint(this.view, this.nowNs(), deadline);
      // On a link too slow for frames the first dialog is not to wait for its code as well.
      if (!this.output.present(this.screen, this.isUrgent)) this.painter.prepareDialogs();
    });
    this.isUrgent = false;
    clearImmediate(this.going);
    if (this.painter.isUnfinished) this.going = setImmediate(this.paint.bind(this));
    else if (this.view.seeks !== undefined)
      this.going = setImmediate(() => {
        this.store.dispatch({ type: 'seekOn' });
        this.pressKept();
        this.paint();
      });
  }

  /** Spares the facts of an action in each frame once no notice ends by itself and columns are as wide as they get. */
  private get changesWithTime(): boolean {
    const { fitsInterval, intervalNs, passing } = this.view;
    if (passing !== undefined) return true;
    return fitsInterval && (this.parts.playback !== undefined || intervalNs < LAST_WIDTH_NS);
  }

  private deadline(): ShouldYield {
    const countMs = this.painted === undefined ? FIRST_COUNT_MS : COUNT_MS;
    const overMs = (this.inputs.arrivedMs ?? performance.now()) + countMs;
    return () => performance.now() >= overMs;
  }

  /** The rest of a frame, then the frame that could not be sent meanwhile. */
  private presentMore(): void {
    if (this.isLate && !this.screen.isCut && !this.isOver) this.paint();
    else this.output.present(this.screen);
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
    this.isUrgent = true;
    this.paint();
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
    this.isUrgent = true;
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
    this.dispatch(...pointedActions(scene, event, view, painter));
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
    if (!this.isOver) this.paint();
  }

  /** Paints the result of actions, unless the terminal is restored by then. */
  private dispatch(...actions: readonly Action[]): void {
    const before = this.view;
    for (const action of actions) this.store.dispatch(action);
    this.typeAhead.dropOverdue(this.view);
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
    clearImmediate(this.going);
    this.shown = this.show(next.value, {
      ...initialView(asked, kept, bestView?.notice),
      filter,
    });
    painter.dispose();
    before.source.dispose();
    this.open();
    this.paint();
    return undefined;
  }

  private redraw(): void {
    // Paints what earlier keys have led to before the screen is cleared.
    if (this.isUnpainted) this.paintNow();
    this.screen.invalidate();
    this.isUrgent = true;
    this.paint();
  }
}

function liveWords(file: string | undefined): string {
  return file === undefined ? 'live' : `live, recording ${file}`;
}
