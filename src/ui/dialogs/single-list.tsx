import type { ReactElement } from 'react';
import { formatCount, plural } from '../../base/format.ts';
import type { ClockBase } from '../../base/time.ts';
import { isOfPrograms, noneOf, nounOf } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import type { LatestIos } from '../../query/slowest/latest-ios.ts';
import type { SingleIo } from '../../query/slowest/single-io.ts';
import { callColumns } from './call-columns.ts';
import type { TimeSort } from './call-columns.ts';
import { DialogFrame } from './dialog-frame.tsx';
import { singleColumns } from './drill-down-columns.ts';
import { IoTable } from './io-table.tsx';
import { FRAME_SIZE } from './list-window.ts';
import { Styled } from './styled.tsx';
import type { Column } from '../text/fit-columns.ts';

const FOOTER = [
  'in the order in which they ended  Enter: what it waited for  Esc: close',
  'Enter: explain  Esc: close',
  'Esc: close',
];

export interface SingleListProps {
  readonly latest: LatestIos;
  readonly layer: Layer;
  readonly clockBase: ClockBase;
  /** First visible row. */
  readonly top: number;
  /** The chosen row; undefined if none is chosen. */
  readonly selected: number | undefined;
  readonly width: number;
  readonly height: number;
}

/** The list of single I/Os, or calls, that end with the right edge of the picture. */
export function SingleList(props: SingleListProps): ReactElement {
  const { latest, layer, clockBase, top, selected, width, height } = props;
  const { ios } = latest;
  return (
    <DialogFrame
      title={<Styled role="strong">{titleText(latest, layer)}</Styled>}
      position=""
      footer={FOOTER}
      {...{ width, height }}
    >
      <IoTable<SingleIo, TimeSort>
        title={undefined}
        columns={isOfPrograms(layer) ? callColumns(ios, clockBase) : ioColumns(ios, clockBase)}
        rows={ios}
        sort="time"
        emptyText={`${noneOf(layer)} up to here, or none that the filter shows`}
        hasErrors={({ error }) => error !== undefined}
        isFaint={({ tgid }) => tgid === undefined}
        {...{ top, selected }}
        width={width - FRAME_SIZE}
        height={height - FRAME_SIZE}
      />
    </DialogFrame>
  );
}

/** The columns are those of the drill-down, whose rows are in another order. */
export function ioColumns(
  ios: readonly SingleIo[],
  base: ClockBase,
): readonly Column<SingleIo, TimeSort>[] {
  return singleColumns(ios, base).map((column) => ({ ...column, sorts: [] }));
}

function titleText({ ios, isAll }: LatestIos, layer: Layer): string {
  const count = `${formatCount(ios.length)} ${plural(ios.length, nounOf(layer))}`;
  return isAll ? `${count} in time order` : `the last ${count} in time order`;
}
