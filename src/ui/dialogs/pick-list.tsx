import { Box } from 'ink';
import type { ReactElement } from 'react';
import { sanitizeText } from '../../base/sanitize.ts';
import { matchText, noneOf } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import type { PickState } from '../../view/state.ts';
import { FRAME_SIZE, pickWindow } from './list-window.ts';
import { filterPickEntries } from './pick-entries.ts';
import type { PickEntry } from './pick-entries.ts';
import { CheckRow } from './check-row.tsx';
import { DialogFrame } from './dialog-frame.tsx';
import { EditedText } from './edited-text.tsx';
import { Styled } from './styled.tsx';

const TITLES: Record<PickState['what'], string> = { process: 'Processes', disk: 'Disks' };
const NOTHING: Record<PickState['what'], string> = {
  process: 'no process with that name or PID',
  disk: 'no disk with that name',
};
const FOOTER = [
  'type to narrow  Space: mark  Enter: apply  Tab: exclude  Esc: cancel',
  'Space: mark  Enter: apply  Tab: exclude  Esc: cancel',
  'Space mark  Tab exclude  Enter apply',
  'Space  Enter  Tab  Esc',
];
const QUERY_MARK = '> ';
/** A label is cut only if even the shortest details leave less than this. */
const MIN_LABEL_WIDTH = 16;
const DETAIL_GAP = 2;

export interface PickListProps {
  readonly pick: PickState;
  /** All entries, which the list narrows by its query. */
  readonly entries: readonly PickEntry[];
  /** What the entries are of. */
  readonly layer: Layer;
  /** Whether the filter may leave out others, beyond those that the list replaces. */
  readonly isFiltered: boolean;
  readonly width: number;
  readonly height: number;
}

/** The processes or disks to choose from, over the picture. */
export function PickList(props: PickListProps): ReactElement {
  const { pick, entries, width, height } = props;
  const left = filterPickEntries(entries, pick.query.text);
  const { top, room, selected } = pickWindow(pick, left.length, height);
  const shown = left.slice(top, top + room);
  const inside = width - FRAME_SIZE;
  const form = detailForm(shown, inside);
  // All entries count for the width, so that typing moves nothing sideways.
  const labelWidth = Math.max(MIN_LABEL_WIDTH, ...entries.map(({ label }) => label.length));
  return (
    <DialogFrame
      title={<Title {...pick} />}
      position={`${left.length} of ${entries.length}`}
      footer={FOOTER}
      {...{ width, height }}
    >
      <Box height={1} flexShrink={0}>
        <Styled role="accent">{QUERY_MARK}</Styled>
        <EditedText line={pick.query} width={inside - QUERY_MARK.length} />
      </Box>
      {shown.length === 0 && (
        <Styled role="dim">{`  ${entries.length === 0 ? emptyText(props) : NOTHING[pick.what]}`}</Styled>
      )}
      {shown.map((entry, index) => (
        <Entry
          key={entry.id}
          {...{ entry, form, labelWidth }}
          width={inside}
          isSelected={top + index === selected}
          isChosen={pick.chosen.includes(entry.id)}
        />
      ))}
    </DialogFrame>
  );
}

function emptyText({ layer, isFiltered }: PickListProps): string {
  const where = `${noneOf(layer)} in the picture`;
  return isFiltered ? `${where} ${matchText(layer)} the filter` : where;
}

function Title({ what, invert, chosen }: PickState): ReactElement {
  return (
    <>
      <Styled role="strong">{TITLES[what]}</Styled>
      {invert && ' '}
      {invert && <Styled role="badge"> exclude </Styled>}
      {chosen.length > 0 && ` ${chosen.length} marked`}
    </>
  );
}

interface EntryProps {
  readonly entry: PickEntry;
  /** The index of the form of details that fits, or the number of forms if none does. */
  readonly form: number;
  readonly labelWidth: number;
  readonly width: number;
  readonly isSelected: boolean;
  readonly isChosen: boolean;
}

function Entry(props: EntryProps): ReactElement {
  const { entry, form, labelWidth, width, isSelected, isChosen } = props;
  const detail = sanitizeText(entry.details[form] ?? '');
  return (
    <CheckRow {...{ isSelected, width }} isChecked={isChosen}>
      <Box width={labelWidth} marginRight={1}>
        <Styled role={isChosen ? 'strong' : 'plain'}>{sanitizeText(entry.label)}</Styled>
      </Box>
      <Box marginLeft={detail === '' ? 0 : DETAIL_GAP - 1} marginRight={1} flexShrink={0}>
        <Styled>{detail}</Styled>
      </Box>
    </CheckRow>
  );
}

/** All entries have the same form, so that their figures are aligned. */
function detailForm(entries: readonly PickEntry[], width: number): number {
  const forms = Math.max(0, ...entries.map(({ details }) => details.length));
  for (let form = 0; form < forms; form++) {
    const widest = Math.max(...entries.map(({ details }) => details[form]?.length ?? 0));
    if (widest + DETAIL_GAP + MIN_LABEL_WIDTH + '▸[x] '.length <= width) return form;
  }
  return forms;
}
