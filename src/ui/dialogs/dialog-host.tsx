import { EventEmitter } from 'node:events';
import chalk from 'chalk';
import { Component } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { Box, render } from 'ink';
import type { Instance } from 'ink';
import { assert } from '../../base/assert.ts';
import type { CellBlock } from '../../base/cell-block.ts';
import { parseAnsi } from '../../terminal/parse-ansi.ts';
import { withoutProcessHooks } from './without-process-hooks.ts';

/** A part of the screen that React describes and Ink lays out. Nothing reaches a terminal. */
export interface DialogHost {
  /** Draws `element` before it returns. The block has as many lines as the element, but at most `height`. */
  render(element: ReactElement, width: number, height: number): CellBlock;
  dispose(): void;
}

/**
 * `debug` is the only mode in which Ink writes every frame at once, even if the environment variable `CI` is set.
 * Without `concurrent`, React commits before `rerender` returns.
 */
const INK_OPTIONS = {
  debug: true,
  concurrent: false,
  patchConsole: false,
  exitOnCtrlC: false,
  // The default depends on an environment variable.
  isScreenReaderEnabled: false,
} as const;

/** The theme decides on colours, so chalk must not guess from the environment. */
const PALETTE_LEVEL = 2;

export function createDialogHost(): DialogHost {
  chalk.level = PALETTE_LEVEL;
  return new InkHost();
}

class InkHost implements DialogHost {
  private readonly stdout = new FrameStdout();
  private ink: Instance | undefined;
  private failure: { readonly error: unknown } | undefined;
  private isDisposed = false;

  render(element: ReactElement, width: number, height: number): CellBlock {
    assert(!this.isDisposed, 'the dialog host is disposed');
    this.stdout.columns = Math.max(1, width);
    this.draw(
      <FailureBoundary onFailure={(error) => (this.failure = { error })}>
        <Box flexDirection="column" width={width} flexShrink={0}>
          {element}
        </Box>
      </FailureBoundary>,
    );
    if (this.failure !== undefined) throw this.failure.error;
    const { frame } = this.stdout;
    return parseAnsi(frame, width, Math.min(height, frame.split('\n').length));
  }

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    withoutProcessHooks(() => this.ink?.unmount());
  }

  private draw(element: ReactElement): void {
    if (this.ink === undefined) {
      const streams = fakeStreams(this.stdout);
      this.ink = withoutProcessHooks(() => render(element, { ...streams, ...INK_OPTIONS }));
    } else {
      this.ink.rerender(element);
    }
  }
}

/** Ink shows an error as a frame and continues; here it must reach the caller of `render`. */
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

/** Keeps the last frame. Its size must not be 0, or Ink runs other programs to find one. */
class FrameStdout extends EventEmitter {
  frame = '';
  columns = 1;
  readonly isTTY = false;

  write(frame: string): boolean {
    this.frame = frame;
    return true;
  }
}

/** Implements what Ink uses of a stream: `columns`, `rows`, `isTTY`, `write`, `on` and `off`. */
function fakeStreams(stdout: FrameStdout): {
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  stdin: NodeJS.ReadStream;
} {
  const stream = stdout as unknown as NodeJS.WriteStream;
  const stdin = Object.assign(new EventEmitter(), { isTTY: false }) as unknown as NodeJS.ReadStream;
  return { stdout: stream, stderr: stream, stdin };
}
