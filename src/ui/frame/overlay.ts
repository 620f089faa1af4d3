import { sanitizeText } from '../../base/sanitize.ts';
import type { DialogOptions, Dialogs } from '../dialogs/dialogs.tsx';
import type { ScreenLayout } from '../layout-screen.ts';
import { lineBlock } from '../line-block.ts';
import { exactLine, span } from '../span.ts';
import type { FramePart, FrameState } from './frame-state.ts';

/** Loads React, Ink and the dialogs. The only way there: until one is opened nobody needs them. */
export type LoadDialogs = (options: DialogOptions) => Promise<Dialogs>;

const loadDialogs: LoadDialogs = async (options) => {
  const { Dialogs } = await import('../dialogs/dialogs.tsx');
  return new Dialogs(options);
};

/** What lies over the rest of the screen while it is open. */
export class Overlay {
  private failure: string | undefined;
  private isLoading = false;
  private isDisposed = false;
  private isStale = false;

  constructor(
    private readonly options: DialogOptions,
    /** Called when the dialogs are loaded, so that the one that was opened can be drawn. */
    private readonly onLoaded: () => void = () => undefined,
    /** Undefined until they are loaded. */
    private dialogs?: Dialogs,
    private readonly load: LoadDialogs = loadDialogs,
  ) {}

  /** Undefined while nothing is open, or what is open is being loaded. */
  draw(state: FrameState, layout: ScreenLayout): FramePart | undefined {
    if (layout.tooSmall || !isOpen(state)) return undefined;
    if (this.dialogs !== undefined) return this.dialogs.draw(state, layout);
    if (this.failure !== undefined) return this.sorry(this.failure, layout);
    this.startLoading();
    return undefined;
  }

  /** True once, when what was drawn last is no longer all there is to draw. */
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
        const reason = error instanceof Error ? error.message : String(error);
        this.failure = `this dialog cannot be loaded: ${reason.split('\n')[0] ?? ''}`;
        this.isStale = true;
        this.onLoaded();
      },
    );
  }

  private sorry(text: string, { status }: ScreenLayout): FramePart {
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
    view.prompt !== undefined ||
    view.pick !== undefined ||
    drillDown !== undefined
  );
}
