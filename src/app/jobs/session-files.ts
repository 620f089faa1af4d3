import { join } from 'node:path';
import { homeFolder } from '../../base/home-folder.ts';
import { withLateCode } from '../../base/late-code.ts';
import { formatError } from '../../base/result.ts';
import type { IoheatError, Result } from '../../base/result.ts';
import type { Clock } from '../../base/time.ts';
import type { Monitor } from '../../monitor/monitor.ts';
import type { RecordingShown } from '../../ui/status/status-line.ts';
import type { ProgramAction } from '../../view/action.ts';
import type { ProgramEffect } from '../../view/effect.ts';
import { savedPart } from '../../view/saved-part.ts';
import type { ViewState } from '../../view/state.ts';
import { FileJob } from './file-job.ts';
import { busyText, progressText } from './job-texts.ts';
import type { RecordOptions } from '../options/record-options.ts';
import { formatToWrite, NO_NAME, refusedName } from './refused-name.ts';
import type { SessionRecording } from './session-recording.ts';
import { stretchToSave } from './saved-stretch.ts';
import type { ShownPicture } from './saved-stretch.ts';

/** The session that files are written from. */
export interface FilesHost {
  readonly monitor: Monitor;
  readonly clock?: Clock;
  readonly recordedOnly: string;
  readonly unicode: boolean;
  readonly options: RecordOptions;
  view(): ViewState;
  dispatch(action: ProgramAction): void;
  /** The current picture of the view. */
  picture(): ShownPicture;
  nowNs(): number;
}

/** How long a cancelled file may delay the end of the program. */
const CANCEL_WITHIN_MS = 1000;

export type FileEffect = Extract<
  ProgramEffect,
  'exportView' | 'toggleRecording' | 'startRecording' | 'saveHistory' | 'cancelJob'
>;

/**
 * The files of a session: exports, recordings, saved history. The screen continues meanwhile, and a notice
 * reports each finished file. The writers are loaded when they are first needed, as few sessions need
 * them.
 */
export class SessionFiles {
  private recording: SessionRecording | undefined;
  /** The file that is being written, if any. */
  private job: FileJob | undefined;
  private working: Promise<void> = Promise.resolve();

  constructor(private readonly host: FilesHost) {}

  /** Why a recording failed. */
  get failure(): IoheatError | undefined {
    return this.recording?.failure;
  }

  /** Whether a file is open, or about to be. */
  get isBusy(): boolean {
    return this.shown !== undefined || this.job !== undefined;
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
        this.job?.cancel();
    }
  }

  /** Call it after each pump. */
  tick(): void {
    const ended = this.recording?.tick();
    if (ended !== undefined) this.tell(ended);
  }

  /** Records to the file of that name; returns a notice. */
  async record(path: string, force?: boolean): Promise<Result<string>> {
    const recording = await withLateCode(() => this.load());
    return recording.ok ? recording.value.start(path, force) : recording;
  }

  /**
   * Ends the recording, if there is one, and the file that is being written, which is cancelled in a
   * hurry; resolves with notices.
   */
  async stop(isHurried = false): Promise<string> {
    if (isHurried) this.job?.cancel();
    const notice = (await this.recording?.stop()) ?? '';
    const isWriting = this.job !== undefined;
    await (isHurried ? Promise.race([this.working, cancelledBy()]) : this.working);
    return isWriting ? [notice, this.host.view().notice].filter(Boolean).join('; ') : notice;
  }

  private failureText(): string {
    return this.failure === undefined ? '' : formatError(this.failure);
  }

  private async startRecording(): Promise<void> {
    const path = this.path();
    if (path === '') return this.refuse(NO_NAME);
    const started = await this.record(path);
    if (started.ok) this.closePrompt(started.value);
    else await this.refuse(formatError(started.error));
  }

  private saveHistory(): Promise<void> {
    const path = this.path();
    const { host } = this;
    const isOfPicture = savedPart(host.view()) !== 'everything';
    const refused = refusedName(path) ?? (isOfPicture ? this.lackOfPicture() : undefined);
    if (refused !== undefined) return this.refuse(refused);
    const stretch = stretchToSave(host.view(), host.picture(), host.monitor.history);
    return this.write(`saving ${path}`, async (job) => {
      const { saveStretch } = await import('./save-stretch.ts');
      return saveStretch(host, path, stretch, job);
    });
  }

  private exportView(): Promise<void> {
    const { host } = this;
    const { monitor, recordedOnly, unicode } = host;
    const path = this.path();
    const view = host.view();
    const format = formatToWrite(path);
    const refused = format.ok ? (refusedName(path) ?? this.lackOfPicture()) : format.error;
    if (refused !== undefined) return this.refuse(refused);
    const { columns } = host.picture();
    const edgeNs = view.frozenAtNs ?? host.nowNs();
    const shown = { monitor, view, columns, edgeNs, recordedOnly, unicode };
    return this.write(`writing ${path}`, async (job) => {
      const { exportView } = await import('./export-view.ts');
      return exportView(shown, path, job);
    });
  }

  /** A terminal that became too small while the name was typed has no columns that a file could be of. */
  private lackOfPicture(): string | undefined {
    return this.host.picture().columns > 0 ? undefined : 'enlarge the terminal to see the picture';
  }

  /** Writes one file at a time and reports the result. */
  private write(doing: string, writes: (job: FileJob) => Promise<string>): Promise<void> {
    if (this.job !== undefined) {
      this.closePrompt(busyText(this.host.view()));
      return Promise.resolve();
    }
    const job = new FileJob((share) => {
      this.showProgress(progressText(doing, share, this.host.view()), doing);
    });
    this.job = job;
    this.closePrompt(doing);
    this.working = withLateCode(() => writes(job)).then((written) => {
      this.job = undefined;
      this.tell(written.ok ? written.value : formatError(written.error));
    });
    return this.working;
  }

  /** Shows progress, unless that would replace another notice. */
  private showProgress(notice: string, doing: string): void {
    const shown = this.host.view().notice;
    if (shown === undefined || shown.startsWith(doing)) this.tell(notice);
  }

  /** The typed name; no shell has replaced a `~` in it. */
  private path(): string {
    const typed = this.host.view().prompt?.line.text.trim() ?? '';
    return typed.startsWith('~/') ? join(homeFolder(), typed.slice(2)) : typed;
  }

  private closePrompt(notice: string): void {
    this.host.dispatch({ type: 'promptDone', notice });
  }

  /** The prompt stays, with the typed name to be corrected. */
  private refuse(message: string): Promise<void> {
    this.host.dispatch({ type: 'promptFailed', message });
    return Promise.resolve();
  }

  private tell(notice: string): void {
    this.host.dispatch({ type: 'notify', notice });
  }

  private async load(): Promise<SessionRecording> {
    const { SessionRecording } = await import('./session-recording.ts');
    return (this.recording ??= new SessionRecording(this.host));
  }
}

function cancelledBy(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, CANCEL_WITHIN_MS).unref();
  });
}
