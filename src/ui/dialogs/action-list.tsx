import { Box } from 'ink';
import type { ReactElement } from 'react';
import { matchingActions } from '../../view/keys/action-list.ts';
import type { ListedAction } from '../../view/keys/action-list.ts';
import type { ActionListState } from '../../view/state.ts';
import { Bar } from './bar.tsx';
import { DialogFrame } from './dialog-frame.tsx';
import { EditedText } from './edited-text.tsx';
import { keysText } from '../../view/keys/key-caps.ts';
import { actionWindow, FRAME_SIZE } from './list-window.ts';
import { Styled } from './styled.tsx';

const FOOTER = [
  'type to narrow  Enter: do it  Esc: close',
  'Enter: do it  Esc: close',
  'Enter  Esc',
];
const PROMPT = ': ';
/** Room for the longest keys of an action, `J Shift-Down PgDn`. */
const KEYS_WIDTH = 18;

export interface ActionListProps {
  readonly list: ActionListState;
  readonly width: number;
  readonly height: number;
}

/** All actions of a mode, each with the key that does the same. */
export function ActionList({ list, width, height }: ActionListProps): ReactElement {
  const matching = matchingActions(list.of, list.query.text);
  const { top, room, selected } = actionWindow(list, matching.length, height);
  const inside = width - FRAME_SIZE;
  return (
    <DialogFrame
      title={<Styled role="strong">All actions</Styled>}
      position={`${matching.length} of ${matchingActions(list.of, '').length}`}
      footer={FOOTER}
      {...{ width, height }}
    >
      <Box height={1} flexShrink={0}>
        <Styled role="accent">{PROMPT}</Styled>
        <EditedText line={list.query} width={inside - PROMPT.length} />
      </Box>
      {matching.length === 0 && <Styled role="dim">{'  no such action'}</Styled>}
      {matching.slice(top, top + room).map((one, index) => (
        <Row
          key={`${one.text} ${one.keys.join(' ')}`}
          {...{ one }}
          width={inside}
          isSelected={top + index === selected}
        />
      ))}
    </DialogFrame>
  );
}

interface RowProps {
  readonly one: ListedAction;
  readonly width: number;
  readonly isSelected: boolean;
}

function Row({ one: { text, keys }, width, isSelected }: RowProps): ReactElement {
  const shown = keysText(keys);
  return (
    <Bar role={isSelected ? 'selected' : undefined} width={width}>
      <Box flexShrink={0}>
        <Styled>{isSelected ? '▸ ' : '  '}</Styled>
      </Box>
      <Box flexGrow={1} marginRight={1}>
        <Styled>{text}</Styled>
      </Box>
      <Box flexShrink={0} width={Math.min(KEYS_WIDTH, Math.max(shown.length, 1))}>
        <Styled role={isSelected ? 'plain' : 'accent'}>{shown}</Styled>
      </Box>
    </Bar>
  );
}
