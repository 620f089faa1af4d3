import { Box } from 'ink';
import type { ReactElement } from 'react';
import { formatDuration, UNKNOWN } from '../../base/format.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import type { ClockBase } from '../../base/time.ts';
import { hasQueue, isOfPrograms } from '../../model/layer.ts';
import type { Layer, TraceLatency } from '../../model/layer.ts';
import type { ExplainedIo } from '../../query/box/explained-io.ts';
import type { SingleIo } from '../../query/slowest/single-io.ts';
import { callColumns } from './call-columns.ts';
import type { TimeSort } from './call-columns.ts';
import { DialogFrame } from './dialog-frame.tsx';
import { IoTable } from './io-table.tsx';
import { EXPLAINED_HEIGHT, FRAME_SIZE } from './list-window.ts';
import { Segments } from './segments.tsx';
import { ioColumns } from './single-list.tsx';
import { Styled } from './styled.tsx';
import { WaitPartsList } from './wait-parts-list.tsx';

const FOOTER = ['Esc: back to the list', 'Esc: back'];
export interface ExplainDialogProps {
  /** Undefined if the I/O is no longer known individually. */
  readonly explained: ExplainedIo | undefined;
  readonly layer: Layer;
  readonly traceLatency?: TraceLatency;
  readonly clockBase: ClockBase;
  /** First visible row of the parts. */
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** One I/O, wait or call of the list, and where its time went. */
export function ExplainDialog(props: ExplainDialogProps): ReactElement {
  const { explained, layer, traceLatency, clockBase, top } = props;
  const [width, height] = [props.width - FRAME_SIZE, props.height - FRAME_SIZE];
  return (
    <DialogFrame
      title={<Styled role="strong">{titleText(explained?.io)}</Styled>}
      position=""
      footer={FOOTER}
      width={props.width}
      height={props.height}
    >
      {explained === undefined ? (
        <Styled role="dim"> it is no longer known individually</Styled>
      ) : (
        <Box flexDirection="column" width={width} height={height}>
          <IoTable<SingleIo, TimeSort>
            title={undefined}
            columns={
              isOfPrograms(layer)
                ? callColumns([explained.io], clockBase)
                : ioColumns([explained.io], clockBase)
            }
            rows={[explained.io]}
            sort="time"
            emptyText=""
            hasErrors={({ error }) => error !== undefined}
            top={0}
            {...{ width }}
            height={EXPLAINED_HEIGHT}
          />
          {explained.waitedFor === undefined ? (
            <Segments
              segments={[
                {
                  forms: timeForms(explained.io, layer, traceLatency),
                  priority: 1,
                  role: 'accent',
                },
              ]}
              width={width}
            />
          ) : (
            <WaitPartsList
              parts={explained.waitedFor}
              which=""
              {...{ top, width }}
              height={height - EXPLAINED_HEIGHT}
            />
          )}
        </Box>
      )}
    </DialogFrame>
  );
}

function titleText(io: SingleIo | undefined): string {
  if (io === undefined) return 'one of the list';
  return sanitizeText(`${io.call ?? io.opClass ?? 'I/O'} of ${io.comm || UNKNOWN}`);
}

/** `total 5ms = 1ms queue + 4ms device`. There are no other parts, because an I/O waits only for its disk. */
function timeForms(
  { queueNs, deviceNs, totalNs }: SingleIo,
  layer: Layer,
  traceLatency: TraceLatency,
): string[] {
  const total = formatDuration(totalNs);
  if (traceLatency === 'total')
    return [`it took ${total}; the log does not divide it into queue and device`];
  if (!hasQueue(layer)) return [`it took ${total}; what a volume waits for are the disks below it`];
  return [
    `${total} = ${formatDuration(queueNs)} queue + ${formatDuration(deviceNs)} device`,
    total,
  ];
}
