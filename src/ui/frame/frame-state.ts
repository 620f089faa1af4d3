import type { CellBlock } from '../../base/cell-block.ts';
import type { ClockBase } from '../../base/time.ts';
import type { Choice } from '../../filter/fields.ts';
import type { ActivityReport, Fidelity, Hanging } from '../../model/activity.ts';
import type { Playback } from '../../model/playback.ts';
import type { BoxReport, CountingBox } from '../../query/box/drill-down.ts';
import type { ViewState } from '../../view/state.ts';
import type { SourceKind } from '../header-lines.ts';
import type { RecordingShown } from '../status-line.ts';

/** Everything but the picture that is shown at one moment. */
export interface FrameState {
  readonly host: string;
  readonly sourceKind: SourceKind;
  /** As in the header. */
  readonly playback?: Playback | undefined;
  readonly kernel?: string | undefined;
  /** Wall clock of the newest column on the screen, in ms since the epoch. */
  readonly wallMs: number;
  /** I/Os that came since the picture was frozen. */
  readonly arrived: number;
  readonly view: ViewState;
  readonly report: ActivityReport;
  readonly fidelity: Fidelity;
  /** As in the status line. */
  readonly recentLoss?: number;
  /** Empty when everything is shown. */
  readonly filterText: string;
  readonly hanging: Hanging | undefined;
  readonly recording?: RecordingShown | undefined;
  readonly clockBase: ClockBase;
  /** What the word under the cursor of the filter prompt could become. */
  readonly candidates: readonly Choice[];
  /** What the box of the drill-down holds, while that is open. */
  readonly drillDown: BoxReport | CountingBox | undefined;
}

/** Cells to copy to the screen with their top left corner at (x, y). */
export interface FramePart {
  readonly x: number;
  readonly y: number;
  readonly block: CellBlock;
}
