import type { ReactElement } from 'react';
import { formatCount, formatDuration, plural } from '../../base/format.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import { OLD_IN_FLIGHT_NS } from '../../model/in-flight.ts';
import { isOfPrograms, nounOf } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import type { InFlightRow } from '../../model/in-flight.ts';
import { DialogFrame } from './dialog-frame.tsx';
import { inFlightColumns } from './in-flight-columns.ts';
import type { AgeSort } from './in-flight-columns.ts';
import { IoTable } from './io-table.tsx';
import { FRAME_SIZE } from './list-window.ts';
import { Styled } from './styled.tsx';

const KEYS = 'Enter: only its process  Esc: close';

function footerOf(layer: Layer, isRecorded: boolean): readonly string[] {
  return [...noteForms(layer, isRecorded).map((note) => `${note}  ${KEYS}`), KEYS, 'Esc: close'];
}

/** What is not listed. Only I/O of devices is known before it ends. */
function noteForms(layer: Layer, isRecorded: boolean): readonly string[] {
  if (isOfPrograms(layer)) {
    const those = `I/O of devices; ${nounOf(layer)}s are`;
    return [`${those} known only once they end`, `${those} not known yet`];
  }
  return isRecorded
    ? [
        'recordings have I/O that was in flight for 1s or longer',
        'only I/O in flight for 1s or longer',
      ]
    : [
        'I/O that still waits for a free request is not listed',
        'I/O waiting for a request is not listed',
      ];
}

export interface InFlightListProps {
  /** The oldest row is first; undefined if the source does not know what is in flight. */
  readonly rows: readonly InFlightRow[] | undefined;
  /** The layer of everything else on the screen. */
  readonly layer: Layer;
  /** See `DialogState.inFlightIsRecorded`. */
  readonly isRecorded: boolean;
  /** Whether the filter may leave out I/O. */
  readonly isFiltered: boolean;
  /** First visible row. */
  readonly top: number;
  /** The selected row; undefined if none is selected, or it is not in the list now. */
  readonly selected?: number | undefined;
  readonly width: number;
  readonly height: number;
}

/** The list of I/Os that have not completed. */
export function InFlightList(props: InFlightListProps): ReactElement {
  const { rows, layer, isRecorded, isFiltered, top, selected, width, height } = props;
  const known = rows ?? [];
  return (
    <DialogFrame
      title={<Styled role="strong">{titleText(known)}</Styled>}
      position=""
      footer={footerOf(layer, isRecorded)}
      {...{ width, height }}
    >
      <IoTable<InFlightRow, AgeSort>
        title={undefined}
        columns={inFlightColumns(known)}
        rows={known}
        sort="age"
        emptyText={rows === undefined ? UNKNOWN_TEXT : emptyText(isRecorded, isFiltered)}
        hasErrors={({ ageNs }) => ageNs >= OLD_IN_FLIGHT_NS}
        isFaint={({ tgid }) => tgid === undefined}
        {...{ top, selected }}
        width={width - FRAME_SIZE}
        height={height - FRAME_SIZE}
      />
    </DialogFrame>
  );
}

const UNKNOWN_TEXT = 'what was in flight is unknown in this trace';

function emptyText(isRecorded: boolean, isFiltered: boolean): string {
  const none = isRecorded ? 'nothing was in flight for 1s or longer' : 'nothing is in flight now';
  return isFiltered ? `${none}, or nothing that the filter shows` : none;
}

function titleText(rows: readonly InFlightRow[]): string {
  const [oldest] = rows;
  if (oldest === undefined) return 'in flight';
  return `${countText(rows)}, the oldest for ${formatDuration(oldest.ageNs)} on ${sanitizeText(oldest.disk)}`;
}

/** What is in a volume is mostly also at the disk below it, so the two are not added up. */
function countText(rows: readonly InFlightRow[]): string {
  const ofDisks = rows.filter(({ layer }) => layer === 'disks').length;
  const inVolumes = rows.length - ofDisks;
  const many = (count: number): string => `${formatCount(count)} ${plural(count, 'I/O', 'I/Os')}`;
  if (ofDisks === 0 || inVolumes === 0) return `${many(rows.length)} in flight`;
  return `${many(ofDisks)} in flight on disks, ${formatCount(inVolumes)} in volumes`;
}
