import { formatError } from '../base/result.ts';
import type { Result } from '../base/result.ts';
import type { CgroupNames } from '../model/cgroup-names.ts';
import type { Monitor } from '../monitor/monitor.ts';
import type { RecordingShown } from '../ui/status-line.tsx';
import type { ActionContext, Effect } from '../view/action.ts';
import type { ViewState } from '../view/view-state.ts';
import type { RecordOptions } from './record/record-options.ts';
import type { SessionRecording } from './record/session-recording.ts';
import { stretchToSave } from './record/saved-stretch.ts';

/** The sitting that files are written from. */
export interface FilesHost {
  readonly monitor: Monitor;
  readonly cgroups: CgroupNames;
  readonly recordedOnly: string;
  readonly unicode: boolean;
  readonly options: RecordOptions;
  view(): ViewState;
  /** Shows another view at once, unless the terminal is given back by then. */
  show(view: ViewState): void;
  context(): ActionContext;
}

export type FileEffect = Extract<
  Effect,
  'exportView' | 'toggleRecording' | 'startRecording' | 'savePast'
>;

/**
 * What a sitting writes to files: exports, recordings, what has just happened. The screen goes on
 * meanwhile, and what became of a file is told when it is done. What writes is loaded when it is
 * needed, as few sittings need it.
 */
export class SessionFiles {
  private recording: SessionRecording | undefined;

  constructor(private readonly host: FilesHost) {}

  get shown(): RecordingShown | undefined {
    return this.recording?.shown;
  }

  async carryOut(effect: FileEffect): Promise<void> {
    switch (effect) {
      case 'exportView':
        return this.exportView();
      case 'toggleRecording':
        this.tell(await this.stop());
        return;
      case 'startRecording':
        return this.startRecording();
      case 'savePast':
        return this.savePast();
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

  /** Ends the recording, if there is one; resolves with what to tell. */
  async stop(): Promise<string> {
    return (await this.recording?.stop()) ?? '';
  }

  private async startRecording(): Promise<void> {
    const started = await this.record(this.path());
    if (started.ok) {
      this.host.show(this.closed(started.value));
      return;
    }
    const view = this.host.view();
    const problem = { column: 0, message: formatError(started.error) };
    this.host.show({ ...view, prompt: view.prompt && { ...view.prompt, problem } });
  }

  private async savePast(): Promise<void> {
    const path = this.path();
    const stretch = stretchToSave(this.host.view(), this.host.context(), this.host.monitor.history);
    this.host.show(this.closed(`saving ${path}`));
    this.tell(await (await this.load()).save(path, stretch));
  }

  private async exportView(): Promise<void> {
    const { host } = this;
    const path = this.path();
    const view = host.view();
    const { columns, nowNs } = host.context();
    host.show(this.closed(`writing ${path}`));
    const { exportView } = await import('./export/export-view.ts');
    const { monitor, recordedOnly, unicode } = host;
    const edgeNs = view.frozenAtNs ?? nowNs;
    const shown = { monitor, view, columns, edgeNs, recordedOnly, unicode };
    this.tell(await exportView(shown, path));
  }

  private path(): string {
    return this.host.view().prompt?.line.text.trim() ?? '';
  }

  private closed(notice: string): ViewState {
    const view = this.host.view();
    return { ...view, mode: view.promptFor, prompt: undefined, notice };
  }

  private tell(notice: string): void {
    this.host.show({ ...this.host.view(), notice });
  }

  private async load(): Promise<SessionRecording> {
    const { SessionRecording } = await import('./record/session-recording.ts');
    return (this.recording ??= new SessionRecording(this.host));
  }
}
