import type { Widgets } from 'blessed';
import type { ChartCells } from './chart-cells.ts';
import { createOffscreenScreen, destroyOffscreen, resizeOffscreen } from './offscreen-screen.ts';
import type { OffscreenScreen } from './offscreen-screen.ts';

/** Rows of the hidden screen that belong to one widget. */
export interface Slot {
  /** The widget's place and its screen; without one it would use the first screen created. */
  readonly options: Widgets.BoxOptions & { readonly top: number };
  readonly width: number;
  readonly height: number;
}

/** The part of a slot to copy, and where its top left corner goes. */
export interface SlotPart {
  readonly x: number;
  readonly y: number;
  readonly fromX?: number;
  readonly fromY?: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Draws widgets on one hidden screen, one below the other, and returns their cells. The screen is kept
 * as long as there are charts: creating and destroying one costs half a megabyte until the next turn of
 * the event loop.
 */
export class ContribHost {
  private readonly screen: OffscreenScreen;
  private readonly widgets: Widgets.BoxElement[] = [];
  private width = 1;
  private height = 0;

  constructor() {
    this.screen = createOffscreenScreen(1, 1);
  }

  /** Removes all widgets. */
  clear(): void {
    for (const widget of this.widgets.splice(0)) widget.destroy();
    this.width = 1;
    this.height = 0;
  }

  /** Claims room for a widget, which must be created with these options and placed there at once. */
  claim(width: number, height: number): Slot {
    const { screen, height: top } = this;
    this.height += height;
    this.width = Math.max(this.width, width);
    return { options: { screen, top, left: 0, width, height }, width, height };
  }

  place(widget: Widgets.BoxElement): void {
    this.widgets.push(widget);
    this.screen.append(widget);
  }

  render(): void {
    const { screen } = this;
    if (screen.cols !== this.width || screen.rows !== this.height)
      resizeOffscreen(screen, this.width, this.height);
    screen.render();
  }

  copy(slot: Slot, part: SlotPart, to: ChartCells): void {
    const { fromX = 0, fromY = 0 } = part;
    for (let row = 0; row < part.height; row++) {
      const line = this.screen.lines[slot.options.top + fromY + row];
      for (let column = 0; column < part.width; column++)
        to.copy(line?.[fromX + column], part.x + column, part.y + row);
    }
  }

  dispose(): void {
    this.clear();
    destroyOffscreen(this.screen);
  }
}
