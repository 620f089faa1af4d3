import { Transform } from 'ink';
import { createContext, useContext } from 'react';
import type { ReactElement } from 'react';
import { lineWidth, paintLine } from './span.ts';
import type { Line } from './span.ts';
import type { Theme } from './theme.ts';

/** Takes a finished line out of Ink's frame and gives back the one character to put in its place. */
export interface LineSink {
  place(ansi: string, width: number): string;
}

/** Without a sink a line writes itself, as under any other Ink renderer. */
export const LineSinkContext = createContext<LineSink | undefined>(undefined);

interface ChromeLineProps {
  readonly line: Line;
  readonly theme: Theme;
}

/**
 * One finished line. Ink lays out a constant placeholder: it would keep every text that it ever
 * measured, and take milliseconds to tokenise the lines of each frame.
 */
export function ChromeLine({ line, theme }: ChromeLineProps): ReactElement {
  const sink = useContext(LineSinkContext);
  const ansi = paintLine(theme, line);
  return <Transform transform={() => sink?.place(ansi, lineWidth(line)) ?? ansi}>.</Transform>;
}

interface ChromeLinesProps {
  readonly lines: readonly Line[];
  readonly theme: Theme;
}

/** Lines under each other. */
export function ChromeLines({ lines, theme }: ChromeLinesProps): ReactElement {
  return (
    <>
      {lines.map((line, row) => (
        <ChromeLine key={row} line={line} theme={theme} />
      ))}
    </>
  );
}
