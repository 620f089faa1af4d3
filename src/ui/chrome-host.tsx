import { EventEmitter } from 'node:events';
import { Component } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { Box, render } from 'ink';
import type { Instance } from 'ink';
import { assert } from '../base/assert.ts';
import type { CellBlock } from '../base/cell-block.ts';
import { parseAnsi } from '../terminal/parse-ansi.ts';
import { blitCells } from './blit-cells.ts';
import { LineSinkContext } from './chrome-line.tsx';
import type { LineSink } from './chrome-line.tsx';
import { unhooked } from './unhooked.ts';

/** One strip of the screen that React describes and Ink lays out. Nothing reaches a terminal. */
export interface ChromeHost {
  /** The cells of `element`, drawn before the call returns. */
  render(element: ReactElement): CellBlock;
  /** Takes effect with the next `render`. */
  resize(width: number, height: number): void;
  dispose(): void;
}

/** Draws one cell until it is resized. */
export function createChromeHost(): ChromeHost {
  return new InkHost();
}

/**
 * Ink runs with `debug`, its only mode that writes every frame at once, even where the environment
 * variable `CI` is set; without `concurrent` React commits before `rerender` returns.
 */
const INK_OPTIONS = {
  debug: true,
  concurrent: false,
  patchConsole: false,
  exitOnCtrlC: false,
  // Asked for by an environment variable otherwise.
  isScreenReaderEnabled: false,
} as const;

class InkHost implements ChromeHost {
  private readonly stdout = new FrameStdout();
  private readonly lines = new PlacedLines();
  private width = 1;
  private height = 1;
  private ink: Instance | undefined;
  private failure: { readonly error: unknown } | undefined;
  private isDisposed = false;

  render(element: ReactElement): CellBlock {
    assert(!this.isDisposed, 'the chrome host is disposed');
    this.drawInto(Math.min(this.stdout.extent, this.width), element);
    if (this.stdout.extent > this.stdout.columns) this.drawInto(this.width, element);
    const { frame } = this.stdout;
    const block = parseAnsi(this.lines.withoutMarkers(frame), this.width, this.height);
    this.lines.fillIn(block, frame);
    return block;
  }

  resize(width: number, height: number): void {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
  }

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    unhooked(() => this.ink?.unmount());
  }

  /**
   * The layout is as wide as the strip, but Ink gets only the columns up to the last mark of the
   * previous frame: it makes an object for every cell of its output, and most of them are blank.
   */
  private drawInto(columns: number, element: ReactElement): void {
    this.lines.clear();
    this.stdout.columns = columns;
    this.draw(this.wrap(element));
    if (this.failure !== undefined) throw this.failure.error;
  }

  private draw(element: ReactElement): void {
    if (this.ink === undefined) {
      const streams = fakeStreams(this.stdout);
      this.ink = unhooked(() => render(element, { ...streams, ...INK_OPTIONS }));
    } else {
      this.ink.rerender(element);
    }
  }

  private wrap(element: ReactElement): ReactElement {
    return (
      <FailureBoundary onFailure={(error) => (this.failure = { error })}>
        <LineSinkContext value={this.lines}>
          <Box flexDirection="column" width={this.width} flexShrink={0}>
            {element}
          </Box>
        </LineSinkContext>
      </FailureBoundary>
    );
  }
}

/**
 * Private-use characters stand for whole lines in Ink's frame. No other text has any: sanitising
 * replaces them.
 */
const FIRST_MARKER = 0xe000;
const MARKERS = 0x1900;
const MARKER = /[\ue000-\uf8ff]/g;
const SGR = /\x1b\[[\d;]*m/g;

interface PlacedLine {
  readonly ansi: string;
  readonly width: number;
}

/** The lines of one frame; to Ink each is one marker character. */
class PlacedLines implements LineSink {
  private readonly lines: PlacedLine[] = [];

  clear(): void {
    this.lines.length = 0;
  }

  place(ansi: string, width: number): string {
    assert(this.lines.length < MARKERS, 'too many lines in one frame');
    return String.fromCharCode(FIRST_MARKER + this.lines.push({ ansi, width }) - 1);
  }

  withoutMarkers(frame: string): string {
    return frame.replace(MARKER, ' ');
  }

  /** Puts each line where its marker stands in the frame. */
  fillIn(block: CellBlock, frame: string): void {
    for (const [y, row] of frame.split('\n').entries()) {
      for (const match of row.replace(SGR, '').matchAll(MARKER)) {
        const line = this.lines[match[0].charCodeAt(0) - FIRST_MARKER];
        if (line !== undefined)
          blitCells(block, match.index, y, parseAnsi(line.ansi, line.width, 1));
      }
    }
  }
}

/** Ink shows an error as a frame and carries on; here it must reach the caller of `render`. */
class FailureBoundary extends Component<
  { readonly onFailure: (error: unknown) => void; readonly children: ReactNode },
  { readonly hasFailed: boolean }
> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onFailure(error);
  }

  override render(): ReactNode {
    return this.state.hasFailed ? null : this.props.children;
  }
}

/** Keeps the last frame. Its size must not be 0, or Ink asks other programs for one. */
class FrameStdout extends EventEmitter {
  frame = '';
  columns = 1;
  readonly isTTY = false;

  /**
   * Columns up to the last thing in the frame, at least 1. More than `columns` if something lies
   * beyond them; Ink then draws that, but not in its place.
   */
  get extent(): number {
    const rows = this.frame.replace(SGR, '').split('\n');
    return Math.max(1, ...rows.map((row) => row.length));
  }

  write(frame: string): boolean {
    this.frame = frame;
    return true;
  }
}

/** What Ink touches of its streams: `columns`, `rows`, `isTTY`, `write`, `on` and `off`. */
function fakeStreams(stdout: FrameStdout): {
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  stdin: NodeJS.ReadStream;
} {
  const stream = stdout as unknown as NodeJS.WriteStream;
  const stdin = Object.assign(new EventEmitter(), { isTTY: false }) as unknown as NodeJS.ReadStream;
  return { stdout: stream, stderr: stream, stdin };
}
