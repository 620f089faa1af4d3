import { formatPercent } from '../base/format.ts';
import { formatError } from '../base/result.ts';
import type { IoheatError, Result } from '../base/result.ts';
import type { Clock } from '../base/time.ts';
import type { CgroupNames } from '../model/cgroup-names.ts';
import type { Monitor } from '../monitor/monitor.ts';
import type { RecordingShown } from '../ui/status-line.ts';
import type { ProgramAction } from '../view/action.ts';
import type { ProgramEffect } from '../view/effect.ts';
import type { ViewState } from '../view/state.ts';
import { FileWork } from './file-work.ts';
import type { RecordOptions } from './record/record-options.ts';
import type { SessionRecording } from './record/session-recording.ts';
import { stretchToSave } from './record/saved-stretch.ts';
import type { ShownPicture } from './record/saved-stretch.ts';

/** The sitting that files are written from. */
export interface FilesHost {
  readonly monitor: Monitor;
  readonly cgroups: CgroupNames;
  readonly clock?: Clock;
  readonly recordedOnly: string;
  readonly unicode: boolean;
  readonly options: RecordOptions;
  view(): ViewState;
  dispatch(action: ProgramAction): void;
  /** The picture of the view as it is now. */
  picture(): ShownPicture;
  nowNs(): number;
}

/** How long a file that is cancelled may hold up the end of the program. */
const CANCEL_WITHIN_MS = 1000;

export type FileEffect = Extract<
  ProgramEffect,
  'exportView' | 'toggleRecording' | 'startRecording' | 'saveHistory' | 'cancelJob'
>;

/**
 * What a sitting writes to files: exports, recordings, what has just happened. The screen goes on
 * meanwhile, and what became of a file is told when it is done. What writes is loaded when it is
 * needed, as few sittings need it.
 */
export class SessionFiles {
  private recording: SessionRecording | undefined;
  /** The file that was asked for last, until it is written. */
  private work: FileWork | undefined;
  private working: Promise<void> = Promise.resolve();

  constructor(private readonly host: FilesHost) {}

  /** Why a recording did not become what was asked for. */
  get failure(): IoheatError | undefined {
    return this.recording?.failure;
  }

  get shown(): RecordingShown | undefined {
    return this.recording?.shown;
  }

  async carryOut(effect: FileEffect): Promise<void> {
    switch (effect) {
      case 'exportView':
        return this.exportView();
      case 'toggleRecording':
        this.tell((await this.stop()) || this.failureText());
        return;
      case 'startRecording':
        return this.startRecording();
      case 'saveHistory':
        return this.saveHistory();
      case 'cancelJob':
        this.work?.cancel();
    }
  }

  /** To be called after each pump. */
  tick(): void {
    const ended = this.recording?.tick();
    if (ended !== undefined) this.tell(ended);
  }

  /** Records into the file of that name; the value is what to tell. */
  async record(path: string): Promise<Result<string>> {
    return (await this.load()).start(path);
  }

  /**
   * Ends the recording, if there is one, and what is being written, which is cancelled in a hurry;
   * resolves with what to tell.
   */
  async stop(isHurried = false): Promise<string> {
    if (isHurried) this.work?.cancel();
    const told = (await this.recording?.stop()) ?? '';
    const isWriting = this.work !== undefined;
    await (isHurried ? Promise.race([this.working, cancelledBy()]) : this.working);
    return isWriting ? [told, this.host.view().notice].filter(Boolean).join('; ') : told;
  }

  private failureText(): string {
    return this.failure === undefined ? '' : formatError(this.failure);
  }

  private async startRecording(): Promise<void> {
    const started = await this.record(this.path());
    if (started.ok) this.closePrompt(started.value);
    else this.host.dispatch({ type: 'promptFailed', message: formatError(started.error) });
  }

  private saveHistory(): Promise<void> {
    const path = this.path();
    const { host } = this;
    const stretch = stretchToSave(host.view(), host.picture(), host.monitor.history);
    return this.write(`saving ${path}`, async (work) => {
      return (await this.load()).save(path, stretch, work);
    });
  }

  private exportView(): Promise<void> {
    const { host } = this;
    const { monitor, recordedOnly, unicode } = host;
    const path = this.path();
    const view = host.view();
    const { columns } = host.picture();
    const edgeNs = view.frozenAtNs ?? host.nowNs();
    const shown = { monitor, view, columns, edgeNs, recordedOnly, unicode };
    return this.write(`writing ${path}`, async (work) => {
      const { exportView } = await import('./export/export-view.ts');
      return exportView(shown, path, work);
    });
  }

  /** One file at a time; what becomes of it is told. */
  private write(doing: string, writes: (work: FileWork) => Promise<string>): Promise<void> {
    if (this.work !== undefined) {
      this.closePrompt('another file is being written; Esc cancels that');
      return Promise.resolve();
    }
    const work = new FileWork((share) => {
      this.tellProgress(`${doing}: ${formatPercent(share)}, Esc cancels`, doing);
    });
    this.work = work;
    this.closePrompt(doing);
    this.working = writes(work).then((notice) => {
      this.work = undefined;
      this.tell(notice);
    });
    return this.working;
  }

  /** Not where something else is told. */
  private tellProgress(notice: string, doing: string): void {
    const told = this.host.view().notice;
    if (told === undefined || told.startsWith(doing)) this.tell(notice);
  }

  private path(): string {
    return this.host.view().prompt?.line.text.trim() ?? '';
  }

  private closePrompt(notice: string): void {
    this.host.dispatch({ type: 'promptDone', notice });
  }

  private tell(notice: string): void {
    this.host.dispatch({ type: 'notify', notice });
  }

  private async load(): Promise<SessionRecording> {
    const { SessionRecording } = await import('./record/session-recording.ts');
    return (this.recording ??= new SessionRecording(this.host));
  }
}

function cancelledBy(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, CANCEL_WITHIN_MS).unref();
  });
}
