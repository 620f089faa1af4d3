import type { ReactElement } from 'react';
import { clockText, preciseClockText } from '../../base/clock-text.ts';
import { formatCount, formatDuration, plural } from '../../base/format.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import { wallMs } from '../../base/time.ts';
import type { ClockBase } from '../../base/time.ts';
import { OLD_IN_FLIGHT_NS } from '../../model/in-flight.ts';
import { isOfPrograms, nounOf } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import type { InFlightRow } from '../../model/in-flight.ts';
import { DialogFrame } from './dialog-frame.tsx';
import { inFlightColumns } from './in-flight-columns.ts';
import type { AgeSort } from './in-flight-columns.ts';
import { IoTable } from './io-table.tsx';
import { FRAME_SIZE } from './list-window.ts';
import type { ListedInFlight } from './listed-in-flight.ts';
import { Styled } from './styled.tsx';

const KEYS = 'Enter: only its process  Esc: close';

function footerOf(layer: Layer, listed: ListedInFlight): readonly string[] {
  return [...noteForms(layer, listed).map((note) => `${note}  ${KEYS}`), KEYS, 'Esc: close'];
}

/** What is not listed. Only I/O of devices is known before it ends. */
function noteForms(layer: Layer, { atNs, isLongOnly }: ListedInFlight): readonly string[] {
  if (isOfPrograms(layer)) {
    const those = `I/O of devices; ${nounOf(layer)}s are`;
    return [`${those} known only once they end`, `${those} not known yet`];
  }
  if (isLongOnly)
    return [
      'only I/O that was in flight for 1s or longer is known',
      'only I/O in flight for 1s or longer',
    ];
  return atNs !== undefined
    ? ['I/O that is known only as counts is not listed', 'I/O known as counts is not listed']
    : [
        'I/O that still waits for a free request is not listed',
        'I/O waiting for a request is not listed',
      ];
}

export interface InFlightListProps {
  readonly listed: ListedInFlight;
  /** Whether whole seconds would not tell columns apart. */
  readonly isPrecise: boolean;
  readonly clockBase: ClockBase;
  /** The layer of everything else on the screen. */
  readonly layer: Layer;
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
  const { listed, isPrecise, isFiltered, clockBase, layer, top, selected, width, height } = props;
  const known = listed.rows ?? [];
  return (
    <DialogFrame
      title={
        <Styled role="strong">{titleText(known, atText(listed, isPrecise, clockBase))}</Styled>
      }
      position=""
      footer={footerOf(layer, listed)}
      {...{ width, height }}
    >
      <IoTable<InFlightRow, AgeSort>
        title={undefined}
        columns={inFlightColumns(known)}
        rows={known}
        sort="age"
        emptyText={emptyText(listed, isFiltered)}
        hasErrors={({ ageNs }) => ageNs >= OLD_IN_FLIGHT_NS}
        isFaint={({ tgid }) => tgid === undefined}
        {...{ top, selected }}
        width={width - FRAME_SIZE}
        height={height - FRAME_SIZE}
      />
    </DialogFrame>
  );
}

function emptyText({ rows, atNs, isLongOnly }: ListedInFlight, isFiltered: boolean): string {
  if (rows === undefined) return 'what was in flight is unknown in this trace';
  const none = atNs === undefined ? 'nothing is in flight now' : 'nothing was in flight';
  const since = isLongOnly ? ' for 1s or longer' : '';
  return `${none}${since}${isFiltered ? ', or nothing that the filter shows' : ''}`;
}

/** ` at 14:02:11`; empty for the present. */
function atText({ atNs }: ListedInFlight, isPrecise: boolean, clockBase: ClockBase): string {
  if (atNs === undefined) return '';
  const ms = wallMs(clockBase, atNs);
  return ` at ${isPrecise ? preciseClockText(ms) : clockText(ms)}`;
}

function titleText(rows: readonly InFlightRow[], at: string): string {
  const [oldest] = rows;
  if (oldest === undefined) return `in flight${at}`;
  return `${countText(rows)}${at}, the oldest for ${formatDuration(oldest.ageNs)} on ${sanitizeText(oldest.disk)}`;
}

/** What is in a volume is mostly also at the disk below it, so the two are not added up. */
function countText(rows: readonly InFlightRow[]): string {
  const ofDisks = rows.filter(({ layer }) => layer === 'disks').length;
  const inVolumes = rows.length - ofDisks;
  const many = (count: number): string => `${formatCount(count)} ${plural(count, 'I/O', 'I/Os')}`;
  if (ofDisks === 0 || inVolumes === 0) return `${many(rows.length)} in flight`;
  return `${many(ofDisks)} in flight on disks, ${formatCount(inVolumes)} in volumes`;
}
