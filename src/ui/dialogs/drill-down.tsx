import { Box } from 'ink';
import type { ReactElement } from 'react';
import type { ClockBase } from '../../base/time.ts';
import type { Box as PictureBox } from '../../filter/box.ts';
import { isOfPrograms, noneOf, nounOf } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import type { BoxGroup, BoxReport } from '../../query/box/drill-down.ts';
import type { SingleIo } from '../../query/slowest/single-io.ts';
import { callColumns } from './call-columns.ts';
import { asNarrowAsNeeded, groupColumns, singleColumns } from './drill-down-columns.ts';
import type { GroupSort, SingleSort } from './drill-down-columns.ts';
import { amountSegments, boxSegments, certaintyForms } from './drill-down-facts.ts';
import { drillDownLists } from './drill-down-lists.ts';
import { fullWidth } from '../text/fit-columns.ts';
import { Bar } from './bar.tsx';
import { IoTable } from './io-table.tsx';
import { Segments } from './segments.tsx';
import { Styled } from './styled.tsx';
import { WaitPartsList } from './wait-parts-list.tsx';

const SEPARATOR_WIDTH = 3;

export interface DrillDownProps {
  readonly report: BoxReport;
  readonly layer: Layer;
  readonly clockBase: ClockBase;
  /** First visible row. All lists scroll together, each as far as it goes. */
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The contents of a box of the picture: who, where, what, and its slowest I/Os. */
export function DrillDown(props: DrillDownProps): ReactElement {
  const { report, layer, clockBase, width, height } = props;
  const certainty = certaintyForms(report);
  const lists = drillDownLists(report, width, height);
  const right = width - SEPARATOR_WIDTH - groupsWidth(props);
  return (
    <Box flexDirection="column" width={width} height={height}>
      <BoxBar box={report.box} {...{ clockBase, width }} />
      <Segments segments={amountSegments(report, layer)} width={width} />
      {certainty.length > 0 && (
        <Segments segments={[{ forms: certainty, priority: 1, role: 'warning' }]} width={width} />
      )}
      {lists.isBeside ? (
        <Box>
          <Groups {...props} {...lists} width={groupsWidth(props)} height={lists.groupsHeight} />
          <Separator height={lists.groupsHeight} />
          <Singles {...props} {...lists} width={right} height={lists.singlesHeight} />
        </Box>
      ) : (
        <>
          <Groups {...props} {...lists} height={lists.groupsHeight} />
          <Singles {...props} {...lists} height={lists.singlesHeight} />
        </>
      )}
      {report.waitedFor !== undefined && lists.partsHeight > 0 && (
        <WaitPartsList
          parts={report.waitedFor}
          which="The slowest, "
          top={props.top}
          width={width}
          height={lists.partsHeight}
        />
      )}
    </Box>
  );
}

export interface CountingProps {
  readonly box: PictureBox;
  readonly countedShare: number;
  readonly clockBase: ClockBase;
  readonly width: number;
  readonly height: number;
}

/** Stands in for the contents while the box is being counted, because a partial figure could be taken as final. */
export function Counting(props: CountingProps): ReactElement {
  const { box, countedShare, clockBase, width, height } = props;
  const percent = Math.floor(countedShare * 100);
  const forms = [`counting this box… ${percent}%`, `counting… ${percent}%`];
  return (
    <Box flexDirection="column" width={width} height={height}>
      <BoxBar {...{ box, clockBase, width }} />
      <Segments segments={[{ forms, priority: 1, role: 'dim' }]} width={width} />
    </Box>
  );
}

type BoxBarProps = Pick<CountingProps, 'box' | 'clockBase' | 'width'>;

function BoxBar({ box, clockBase, width }: BoxBarProps): ReactElement {
  return (
    <Bar role="bar" width={width}>
      <Segments segments={boxSegments(box, clockBase)} width={width} />
    </Bar>
  );
}

/** Groups get no more width than they need, because the single I/Os have more columns. */
function groupsWidth({ report, layer, width }: DrillDownProps): number {
  const wanted = fullWidth(groupColumns(report.groups, layer), 1);
  return Math.min(wanted, Math.floor((width - SEPARATOR_WIDTH) / 2));
}

function Separator({ height }: { readonly height: number }): ReactElement {
  return (
    <Box paddingX={1} flexShrink={0}>
      <Styled role="dim">{Array<string>(height).fill('│').join('\n')}</Styled>
    </Box>
  );
}

interface ListProps extends DrillDownProps {
  /** Lines above the rows. If there are two, the first is a title. */
  readonly head: number;
}

function Groups({ report: { groups }, layer, top, head, width, height }: ListProps): ReactElement {
  return (
    <IoTable<BoxGroup, GroupSort>
      title={head > 1 ? 'By process, disk and operation' : undefined}
      columns={groupColumns(groups, layer)}
      rows={groups}
      sort="wait"
      emptyText={`${noneOf(layer)} in this box`}
      hasErrors={({ errors = 0 }) => errors > 0}
      isFaint={({ tgid }) => tgid === undefined}
      {...{ top, width, height }}
    />
  );
}

/** Calls and waits have a file and a result, but neither a sector nor a queue. */
function singlesOf(layer: Layer, slowest: readonly SingleIo[], clockBase: ClockBase) {
  if (!isOfPrograms(layer)) return singleColumns(slowest, clockBase);
  return callColumns<SingleSort>(slowest, clockBase).map((column) =>
    column.title === 'TOTAL' ? { ...column, sorts: ['total' as const] } : column,
  );
}

function Singles({ report, layer, clockBase, top, head, width, height }: ListProps): ReactElement {
  const { slowest, count } = report;
  return (
    <IoTable<SingleIo, SingleSort>
      title={head > 1 ? `Slowest ${nounOf(layer)}s` : undefined}
      columns={singlesOf(layer, slowest, clockBase).map((column) =>
        asNarrowAsNeeded(column, slowest),
      )}
      rows={slowest}
      sort="total"
      emptyText={count === 0 ? 'none' : 'all of it is aggregated'}
      hasErrors={({ error }) => error !== undefined}
      {...{ top, width, height }}
    />
  );
}
