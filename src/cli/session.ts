import type { Clock } from '../base/time.ts';
import { Monitor } from '../monitor/monitor.ts';
import type { CgroupNames } from '../model/cgroup-names.ts';
import type { Filter } from '../model/filter.ts';
import type { EventSource } from '../source/event-source.ts';
import type { Capabilities } from '../terminal/capabilities.ts';
import type { Guardian } from '../terminal/guardian.ts';
import { createKeyDecoder, keyName } from '../terminal/keys.ts';
import type { InputEvent } from '../terminal/keys.ts';
import { installRestoreOnExit, suspendProcess } from '../terminal/restore-on-exit.ts';
import { Screen } from '../terminal/screen.ts';
import { TerminalOutput } from '../terminal/terminal-output.ts';
import type { TerminalStreams } from '../terminal/terminal-output.ts';
import { FramePainter } from '../ui/frame-painter.ts';
import { createTheme, THEME_LEVEL } from '../ui/theme.ts';
import type { Effect } from '../view/action.ts';
import { KEY_TABLE, meaningOf } from '../view/key-table.ts';
import { reduce } from '../view/reduce.ts';
import { settingsOf } from '../view/settings.ts';
import type { ViewState } from '../view/view-state.ts';
import { initialView } from './initial-view.ts';
import type { Options } from './options.ts';
import { loadSettings, saveSettings, settingsPath } from './settings-file.ts';

/** Often enough that a full ring is rare: 32 MB take 400,000 I/Os. */
const PUMP_EVERY_MS = 50;
/** Every second pump draws: ten frames a second are steady to the eye and cheap over a slow link. */
const PUMPS_PER_FRAME = 2;
/** A past that is there from the start belongs on the first frame, unless it is very long. */
const PUMPS_BEFORE_FIRST_FRAME = 8;
/** A lone Escape is told from the start of a sequence by what does not follow. */
const ESCAPE_AFTER_MS = 30;

/** How long a stalled terminal may hold up the end of the program. */
const LAST_FRAME_MS = 200;

export interface SessionParts {
  readonly source: EventSource;
  readonly clock: Clock;
  readonly filter: Filter;
  readonly recordedOnly: string;
  readonly cgroups: CgroupNames;
  readonly options: Options;
  readonly streams: TerminalStreams;
  readonly capabilities: Capabilities;
  readonly guardian: Guardian;
}

/** One sitting in front of a terminal: owns the order of pump, reduce and paint. */
export class Session {
  readonly monitor: Monitor;
  private view: ViewState;
  private readonly screen: Screen;
  private readonly output: TerminalOutput;
  private readonly painter: FramePainter;
  private readonly keys = createKeyDecoder();
  private escapeTimer: NodeJS.Timeout | undefined;
  private pumps = 0;
  private finish: () => void = () => undefined;

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
    this.output = new TerminalOutput(streams, { onReady, guardian: parts.guardian });
    const theme = createTheme(THEME_LEVEL[colors]);
    const color = colors !== 'none';
    const frame = { theme, bindings: KEY_TABLE, unicode, color, depth: colors, recordedOnly };
    this.painter = new FramePainter(this.monitor, this.screen, frame);
  }

  /** Returns when the person quits; the terminal is then as it was before. */
  async run(): Promise<void> {
    const { output, input } = this.parts.streams;
    installRestoreOnExit(this.output);
    this.output.enter();
    const resize = this.resize.bind(this);
    output.on('resize', resize);
    const type = this.type.bind(this);
    input?.on('data', type);
    for (let i = 0; i < PUMPS_BEFORE_FIRST_FRAME && !this.monitor.pump(); i++);
    this.paint();
    const timer = setInterval(this.tick.bind(this), PUMP_EVERY_MS);
    await new Promise<void>((resolve) => (this.finish = resolve));
    clearInterval(timer);
    clearTimeout(this.escapeTimer);
    input?.off('data', type);
    // A paused terminal still keeps the process alive.
    input?.pause().unref();
    output.off('resize', resize);
    this.painter.dispose();
    await this.output.whenTaken(LAST_FRAME_MS);
    this.output.restore();
  }

  private tick(): void {
    this.pump();
    if (this.pumps % PUMPS_PER_FRAME === 0) this.paint();
  }

  private pump(): void {
    this.monitor.pump();
    this.pumps++;
  }

  private paint(): void {
    this.painter.paint(this.view, this.parts.clock.nowNs());
    this.present();
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

  private type(chunk: Buffer): void {
    clearTimeout(this.escapeTimer);
    this.take(this.keys.decode(chunk));
    if (!this.keys.isPending) return;
    this.escapeTimer = setTimeout(() => {
      this.take(this.keys.flush());
    }, ESCAPE_AFTER_MS);
  }

  private take(events: readonly InputEvent[]): void {
    for (const event of events) if (event.kind === 'key') this.press(keyName(event));
  }

  private press(key: string): void {
    const does = meaningOf(this.view.mode, key);
    if (does === undefined) return;
    if ('effect' in does) {
      this.carryOut(does.effect);
      return;
    }
    const context = this.painter.actionContext(this.view, this.parts.clock.nowNs());
    this.view = reduce(this.view, does.action, context);
    this.monitor.setFilter(this.view.filter);
    this.paint();
  }

  private keepSettings(): string {
    return saveSettings(settingsPath(process.env), settingsOf(this.view));
  }

  private carryOut(effect: Effect): void {
    switch (effect) {
      case 'quit':
        this.finish();
        return;
      case 'suspend':
        suspendProcess(this.output);
        return;
      case 'keepSettings':
        this.view = { ...this.view, notice: this.keepSettings() };
        this.paint();
        return;
      case 'redraw':
        this.screen.invalidate();
        this.paint();
    }
  }
}
