import type { ReactElement } from 'react';
import { formatCount, formatDuration, plural } from '../../base/format.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import { OLD_IN_FLIGHT_NS } from '../../model/in-flight.ts';
import type { InFlightRow } from '../../model/in-flight.ts';
import { DialogFrame } from './dialog-frame.tsx';
import { inFlightColumns } from './in-flight-columns.ts';
import type { AgeSort } from './in-flight-columns.ts';
import { IoTable } from './io-table.tsx';
import { FRAME_SIZE } from './list-window.ts';
import { Styled } from './styled.tsx';

const OF_RECORDING = [
  'recordings have I/O that was in flight for 1s or longer  Esc: close',
  'Esc: close',
];
const FOOTER = ['I/O that still waits for a free request is not listed  Esc: close', 'Esc: close'];

export interface InFlightListProps {
  /** The oldest row is first; undefined if the source does not know what is in flight. */
  readonly rows: readonly InFlightRow[] | undefined;
  /** See `DialogState.inFlightIsRecorded`. */
  readonly isRecorded: boolean;
  /** First visible row. */
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The list of I/Os that have not completed. */
export function InFlightList(props: InFlightListProps): ReactElement {
  const { rows, isRecorded, top, width, height } = props;
  const known = rows ?? [];
  return (
    <DialogFrame
      title={<Styled role="strong">{titleText(known)}</Styled>}
      position=""
      footer={isRecorded ? OF_RECORDING : FOOTER}
      {...{ width, height }}
    >
      <IoTable<InFlightRow, AgeSort>
        title={undefined}
        columns={inFlightColumns(known)}
        rows={known}
        sort="age"
        emptyText={emptyText(rows, isRecorded)}
        hasErrors={({ ageNs }) => ageNs >= OLD_IN_FLIGHT_NS}
        isFaint={({ tgid }) => tgid === undefined}
        top={top}
        width={width - FRAME_SIZE}
        height={height - FRAME_SIZE}
      />
    </DialogFrame>
  );
}

function emptyText(rows: readonly InFlightRow[] | undefined, isRecorded: boolean): string {
  if (rows === undefined) return 'what was in flight is unknown in this trace';
  return isRecorded ? 'nothing was in flight for 1s or longer' : 'nothing is in flight now';
}

function titleText(rows: readonly InFlightRow[]): string {
  const [oldest] = rows;
  if (oldest === undefined) return 'in flight';
  const count = `${formatCount(rows.length)} ${plural(rows.length, 'I/O', 'I/Os')} in flight`;
  return `${count}, the oldest for ${formatDuration(oldest.ageNs)} on ${sanitizeText(oldest.disk)}`;
}
