import { Box } from 'ink';
import type { ReactElement } from 'react';
import type { Layer } from '../../model/layer.ts';
import { sortTitle } from '../../view/describe.ts';
import { chosenColumns, listedColumns } from '../../view/reduce/columns.ts';
import type { DiskSort, ProcessSort, ViewState } from '../../view/state.ts';
import { columnMeaning } from '../tables/column-meanings.ts';
import { diskHeading } from '../tables/disk-columns.ts';
import { columnWindow, FRAME_SIZE } from './list-window.ts';
import { processHeading } from '../tables/process-columns.ts';
import { CheckRow } from './check-row.tsx';
import { DialogFrame } from './dialog-frame.tsx';
import { Styled } from './styled.tsx';

const FOOTER = [
  'Space: show or hide  < >: move  r: reset to defaults  Esc: close',
  'Space: show or hide  < >: move  Esc: close',
  'Space  < >  r  Esc',
];
/** The width of the longest heading and a gap. */
const HEADING_WIDTH = 8;
const LONG_POSITION_WIDTH = 60;

export interface ColumnListProps {
  readonly view: ViewState;
  readonly width: number;
  readonly height: number;
}

/** The columns that a table can have, to show, hide and move. */
export function ColumnList({ view, width, height }: ColumnListProps): ReactElement {
  const listed = listedColumns(view);
  const chosen = chosenColumns(view);
  const { top, room } = columnWindow(view, height);
  const inside = width - FRAME_SIZE;
  const position = { top, room, listed: listed.length, chosen: chosen.length };
  return (
    <DialogFrame
      title={<Styled role="strong">{`Columns of the ${view.focus}`}</Styled>}
      position={positionText(position, width)}
      footer={FOOTER}
      {...{ width, height }}
    >
      {listed.slice(top, top + room).map((id, index) => {
        const isShown = chosen.includes(id);
        const isSelected = top + index === view.columnRow;
        return (
          <CheckRow key={id} {...{ isSelected }} isChecked={isShown} width={inside}>
            <Box width={HEADING_WIDTH} flexShrink={0}>
              <Styled role={isShown ? 'strong' : 'plain'}>{headingOf(view, id)}</Styled>
            </Box>
            <Meaning
              layer={view.layer}
              width={inside - '▸[x] '.length - HEADING_WIDTH}
              {...{ id, isShown }}
            />
          </CheckRow>
        );
      })}
    </DialogFrame>
  );
}

interface MeaningProps {
  readonly id: ProcessSort | DiskSort;
  readonly layer: Layer;
  readonly width: number;
  readonly isShown: boolean;
}

/** Shows the longest form of the meaning that fits. */
function Meaning({ id, layer, width, isShown }: MeaningProps): ReactElement {
  const meaning = columnMeaning(id, layer);
  const text = meaning.length <= width ? meaning : sortTitle(id);
  return <Styled role={isShown ? 'plain' : 'dim'}>{text}</Styled>;
}

interface Position {
  readonly top: number;
  readonly room: number;
  readonly listed: number;
  readonly chosen: number;
}

/** Says how many columns the table has, and which part of the list is on the screen. */
function positionText({ top, room, listed, chosen }: Position, width: number): string {
  if (width < LONG_POSITION_WIDTH) return `${chosen} of ${listed}`;
  const part = listed > room ? `${top + 1}-${top + room}: ` : '';
  return `${part}${chosen} of ${listed} chosen`;
}

function headingOf({ focus }: ViewState, id: ProcessSort | DiskSort): string {
  // `id` names a column of the table in focus, which the type does not say.
  return focus === 'processes' ? processHeading(id as ProcessSort) : diskHeading(id as DiskSort);
}
