import type { Completeness, Hanging } from '../../model/activity.ts';
import type { Layer } from '../../model/layer.ts';
import type { Stall } from '../../model/stall.ts';
import type { DialogState } from '../dialogs/dialog-state.ts';
import type { SourceKind } from '../header/header-lines.ts';
import type { RecordingShown } from '../status/status-line.ts';

/** Everything except for the picture that is shown at one moment. */
export interface FrameState extends DialogState {
  readonly host: string;
  readonly sourceKind: SourceKind;
  readonly kernel?: string | undefined;
  /** Wall clock of the newest column on the screen, in ms since the epoch. */
  readonly wallMs: number;
  /** Whether the picture starts with the trace, or before. */
  readonly isWhole?: boolean;
  /** I/Os that arrived since the picture was frozen. */
  readonly arrived: number;
  readonly completeness: Completeness;
  /** The layers that have had I/O so far. */
  readonly layers?: readonly Layer[];
  /** See the status line. */
  readonly recentLoss?: number;
  readonly framesPerSecond?: number | undefined;
  /** Empty when everything is shown. */
  readonly filterText: string;
  readonly hanging: Hanging | undefined;
  /** Covers the time of the report. */
  readonly stall?: Stall | undefined;
  readonly recording?: RecordingShown | undefined;
  /** A printed frame has none to name; default: true. */
  readonly hasKeys?: boolean;
}
