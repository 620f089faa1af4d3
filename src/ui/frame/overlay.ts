import { whyNotLoaded } from '../../base/late-code.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import type { BoxReport } from '../../query/box/drill-down.ts';
import type { ListSize } from '../../view/facts.ts';
import type { Mode } from '../../view/state.ts';
import type { DialogOptions, Dialogs } from '../dialogs/dialogs.tsx';
import type { ScreenLayout } from '../layout-screen.ts';
import { lineBlock } from '../text/line-block.ts';
import { exactLine, span } from '../text/span.ts';
import type { FrameState } from './frame-state.ts';
import type { PlacedCells } from '../dialogs/dialog-state.ts';

/** Loads React, Ink and the dialogs. The only import of them, so nothing loads them before one is opened. */
export type LoadDialogs = (options: DialogOptions) => Promise<Dialogs>;

export const loadDialogs: LoadDialogs = async (options) => {
  const { Dialogs } = await import('../dialogs/dialogs.tsx');
  return new Dialogs(options);
};

/** The open dialog, over the rest of the screen. */
export class Overlay {
  private failure: string | undefined;
  private isLoading = false;
  private isDisposed = false;
  private isStale = false;

  constructor(
    private readonly options: DialogOptions,
    /** Called when the dialogs are loaded, so that the opened one can be drawn. */
    private readonly onLoaded: () => void = () => undefined,
    /** Undefined until they are loaded. */
    private dialogs?: Dialogs,
    private readonly load: LoadDialogs = loadDialogs,
  ) {}

  /** Loads the dialogs ahead of the key that opens one, at the price of some 20 MB of memory. */
  prepare(): void {
    if (this.dialogs === undefined) this.startLoading();
  }

  /** Undefined while no dialog is open or loaded. */
  draw(state: FrameState, layout: ScreenLayout): PlacedCells | undefined {
    if (layout.tooSmall || !isOpen(state)) return undefined;
    if (this.dialogs !== undefined) return this.dialogs.draw(state, layout);
    if (this.failure !== undefined) return this.sorry(this.failure, layout);
    this.startLoading();
    return undefined;
  }

  /** Total lines of the help; undefined until the dialogs are loaded, of which its texts are a part. */
  helpLength(width: number, helpFor: Mode): number | undefined {
    return this.dialogs?.helpLength(width, helpFor);
  }

  /** See `drillDownScroll`; undefined until the dialogs are loaded. */
  drillDownScroll(report: BoxReport, width: number, height: number): ListSize | undefined {
    return this.dialogs?.drillDownScroll(report, width, height);
  }

  /** True once, when there is something new to draw. */
  takeStale(): boolean {
    const { isStale } = this;
    this.isStale = false;
    return isStale;
  }

  dispose(): void {
    this.isDisposed = true;
    this.dialogs?.dispose();
  }

  private startLoading(): void {
    if (this.isLoading) return;
    this.isLoading = true;
    this.load(this.options).then(
      (dialogs) => {
        if (this.isDisposed) dialogs.dispose();
        else this.dialogs = dialogs;
        this.isStale = true;
        this.onLoaded();
      },
      (error: unknown) => {
        this.failure = `cannot load this dialog: ${whyNotLoaded(error)}`;
        this.isStale = true;
        this.onLoaded();
      },
    );
  }

  private sorry(text: string, { status }: ScreenLayout): PlacedCells {
    const line = exactLine([span(` ${sanitizeText(text)}`, 'warning')], status.width);
    return {
      x: status.x,
      y: status.y - 1,
      block: lineBlock([line], this.options.theme, status.width),
    };
  }
}

function isOpen({ view, drillDown }: FrameState): boolean {
  return (
    view.mode === 'help' ||
    view.mode === 'toggles' ||
    view.mode === 'columns' ||
    view.mode === 'inFlight' ||
    view.mode === 'singles' ||
    view.mode === 'explain' ||
    view.prompt !== undefined ||
    view.pick !== undefined ||
    view.card !== undefined ||
    view.actions !== undefined ||
    drillDown !== undefined
  );
}
