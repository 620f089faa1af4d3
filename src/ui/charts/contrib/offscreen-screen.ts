import { EventEmitter } from 'node:events';
import blessed from 'blessed';
import type { Widgets } from 'blessed';

/** A cell as blessed keeps it: flags << 18 | foreground << 9 | background, and its character. */
export type BlessedCell = readonly [attributes: number, character: string];

/** A blessed screen without a terminal: widgets are drawn into `lines` and stay there. */
export interface OffscreenScreen extends Widgets.Screen {
  readonly lines: readonly (readonly BlessedCell[])[];
}

export function createOffscreenScreen(width: number, height: number): OffscreenScreen {
  unbind();
  const program = new NoProgram(width, height);
  const options = { program } as unknown as Widgets.IScreenOptions;
  const screen = blessed.screen(options) as unknown as OffscreenScreen;
  // The screen must not write to the program: only its cells are used here.
  screen.draw = () => undefined;
  screen.alloc();
  return screen;
}

export function resizeOffscreen(screen: OffscreenScreen, width: number, height: number): void {
  Object.assign(screen.program, { cols: width, rows: height });
  screen.alloc();
}

export function destroyOffscreen(screen: OffscreenScreen): void {
  unbind();
  // There is no terminal to switch back.
  Object.assign(screen.program, { isAlt: false });
  screen.destroy();
}

/**
 * Replaces the `Program` of a blessed screen, which would write to a terminal, read from one, look up
 * terminal descriptions, add process listeners and, inside tmux, run another program. It always reports
 * to be on its "alternate screen", so nothing switches to it.
 */
class NoProgram extends EventEmitter {
  readonly tput = { strings: {}, numbers: {}, bools: {}, unicode: true };
  readonly options = {};
  readonly isAlt = true;

  constructor(
    public cols: number,
    public rows: number,
  ) {
    super();
    this.setMaxListeners(0);
  }

  setupTput(): void {
    // There is no terminal to describe.
  }

  clear(): void {
    // There is no terminal to clear.
  }

  destroy(): void {
    this.removeAllListeners();
  }
}

const HANDLERS = ['_exceptionHandler', '_sigtermHandler', '_sigintHandler', '_sigquitHandler'];

/**
 * The first screen would listen for fatal signals, for exceptions and for the exit of the process, and
 * the last one would remove these listeners. Signals belong to the composition root alone.
 */
function unbind(): void {
  const statics = (blessed as unknown as { Screen: Record<string, unknown> }).Screen;
  statics['_bound'] = true;
  for (const name of [...HANDLERS, '_exitHandler']) statics[name] = () => undefined;
}
