import { Box } from 'ink';
import type { ReactElement } from 'react';
import type { KeyBinding } from '../../view/keys/key-table.ts';
import type { Mode } from '../../view/state.ts';
import type { Segment } from '../text/fit-segments.ts';
import { COLUMN_GAP, layoutHelp, TERM_GAP } from './help-layout.ts';
import type { HelpLine, HelpRow } from './help-layout.ts';
import { helpRoom } from './list-window.ts';
import { keysText } from '../../view/keys/key-caps.ts';
import { Bar } from './bar.tsx';
import { Segments } from './segments.tsx';
import { Styled } from './styled.tsx';

const [MORE, BACK] = ['Down, PgDn: more', 'Up, PgUp: back'];

export interface HelpProps {
  readonly bindings: readonly KeyBinding[];
  /** First visible line. */
  readonly top: number;
  /** The mode from which the help was opened, whose keys come first. The default is the main screen. */
  readonly helpFor?: Mode;
  readonly width: number;
  readonly height: number;
}

/** All keys and terms, over the picture and the tables. */
export function Help({ bindings, top, helpFor = 'main', width, height }: HelpProps): ReactElement {
  const { rows, columnWidth } = layoutHelp(bindings, helpFor, width);
  const room = helpRoom(height);
  const first = Math.min(top, Math.max(0, rows.length - room));
  const shown = rows.slice(first, first + room);
  const position =
    shown.length < rows.length ? `${first + 1}-${first + shown.length} of ${rows.length}` : '';
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Heading {...{ bindings, position, isEnd: first + room >= rows.length, width }} />
      {shown.map((row, index) => (
        <Row key={index} {...{ row, columnWidth }} />
      ))}
    </Box>
  );
}

interface HeadingProps {
  readonly bindings: readonly KeyBinding[];
  /** Which lines are on the screen; empty if all are. */
  readonly position: string;
  /** Whether the last line is on the screen. */
  readonly isEnd: boolean;
  readonly width: number;
}

function Heading({ bindings, position, isEnd, width }: HeadingProps): ReactElement {
  const close = bindings.find(({ action }) => action.type === 'close');
  const forms = close && [`${keysText(close.keys)}: ${close.description}`, 'Esc: close'];
  const segments: Segment[] = [
    { forms: ['HELP'], priority: 1 },
    { forms: forms ?? [], priority: 4, dropPriority: 2 },
    { forms: position === '' ? [] : [isEnd ? BACK : MORE], priority: 3 },
    { forms: position === '' ? [] : [position], priority: 2, align: 'right' },
  ];
  return (
    <Bar role="bar" width={width}>
      <Segments {...{ segments, width }} />
    </Bar>
  );
}

function Row({ row, columnWidth }: { readonly row: HelpRow; readonly columnWidth: number }) {
  return (
    <Box height={1} flexShrink={0} columnGap={COLUMN_GAP}>
      {row.map((line, column) => (
        <Box key={column} width={columnWidth} flexShrink={0}>
          <Line {...line} />
        </Box>
      ))}
    </Box>
  );
}

function Line(line: HelpLine): ReactElement | undefined {
  if (line.kind === 'blank') return undefined;
  if (line.kind === 'title')
    return (
      <Box paddingLeft={1}>
        <Styled role="strong">{line.text}</Styled>
      </Box>
    );
  const { term, termWidth, text } = line;
  return (
    <Box paddingLeft={TERM_GAP} columnGap={TERM_GAP}>
      <Box minWidth={termWidth} flexShrink={0}>
        <Styled role="accent">{term}</Styled>
      </Box>
      <Styled>{text}</Styled>
    </Box>
  );
}
