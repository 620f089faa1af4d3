import { Box, Text } from 'ink';
import type { ReactElement } from 'react';
import { Attribute, DEFAULT_COLOR } from '../../base/cell-block.ts';
import type { Line, Span } from '../span.ts';
import type { Theme } from '../theme.ts';

const { bold, dim, inverse } = Attribute;

interface DialogLinesProps {
  readonly lines: readonly Line[];
  readonly theme: Theme;
}

/** Lines under each other. */
export function DialogLines({ lines, theme }: DialogLinesProps): ReactElement {
  return (
    <Box flexDirection="column">
      {lines.map((line, row) => (
        <DialogLine key={row} line={line} theme={theme} />
      ))}
    </Box>
  );
}

interface DialogLineProps {
  readonly line: Line;
  readonly theme: Theme;
}

/** One line. A blank one would have no height. */
export function DialogLine({ line, theme }: DialogLineProps): ReactElement {
  if (line.every(({ text }) => text === '')) return <Text> </Text>;
  return (
    <Text wrap="truncate">
      {line.map((piece, at) => (
        <DialogSpan key={at} piece={piece} theme={theme} />
      ))}
    </Text>
  );
}

function DialogSpan({ piece, theme }: { piece: Span; theme: Theme }): ReactElement {
  const { fg, attr } = theme.look(piece.role);
  return (
    <Text
      bold={(attr & bold) !== 0}
      dimColor={(attr & dim) !== 0}
      inverse={(attr & inverse) !== 0}
      {...(fg === DEFAULT_COLOR ? {} : { color: `ansi256(${fg})` })}
    >
      {piece.text}
    </Text>
  );
}
