import type { CellBlock } from '../../base/cell-block.ts';
import type { ClockBase } from '../../base/time.ts';
import type { Choice } from '../../filter/fields.ts';
import type { ActivityReport } from '../../model/activity.ts';
import type { Playback } from '../../model/playback.ts';
import type { BoxReport, CountingBox } from '../../query/box/drill-down.ts';
import type { ExplainedIo } from '../../query/box/explained-io.ts';
import type { LatestIos } from '../../query/slowest/latest-ios.ts';
import type { ViewState } from '../../view/state.ts';
import type { ListedInFlight } from './listed-in-flight.ts';

/** The state that dialogs are drawn from. */
export interface DialogState {
  readonly view: ViewState;
  readonly report: ActivityReport;
  readonly clockBase: ClockBase;
  /** The state of a replay; absent where there is none. */
  readonly playback?: Playback | undefined;
  /** Completions of the word under the cursor of the filter prompt. */
  readonly candidates: readonly Choice[];
  /** The contents of the box while the drill-down is open. */
  readonly drillDown: BoxReport | CountingBox | undefined;
  /** Undefined while the list of I/Os in flight is closed. */
  readonly inFlight: ListedInFlight | undefined;
  /** Single I/Os in time order, while their list is open. */
  readonly singles: LatestIos | undefined;
  /** The one of `singles` that is explained. */
  readonly explained: ExplainedIo | undefined;
}

/** Cells to copy to the screen with their top left corner at (x, y). */
export interface PlacedCells {
  readonly x: number;
  readonly y: number;
  readonly block: CellBlock;
}
