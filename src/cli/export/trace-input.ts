import { setTimeout as sleep } from 'node:timers/promises';
import type { Result } from '../../base/result.ts';
import { err, ExitCode, ok } from '../../base/result.ts';
import { readTrace } from '../../export/read-trace.ts';
import { TraceInfo } from '../../export/trace-info.ts';
import { compileFilter } from '../../filter/match.ts';
import type { CompiledFilter } from '../../filter/match.ts';
import type { Filter } from '../../filter/filter.ts';
import { IdentityTable } from '../../model/identity-table.ts';
import type { TraceReader } from '../../source/trace-reader.ts';
import { openTrace } from '../trace/open-trace.ts';
import { ALL_TIME, timeRange } from './trace-times.ts';
import type { TimeRange } from './trace-times.ts';

/** A trace that is open, and which part of it is meant. */
export interface TraceInput {
  readonly reader: TraceReader;
  readonly info: TraceInfo;
  readonly filter: CompiledFilter;
  readonly range: TimeRange;
}

export interface TraceRequest {
  readonly file: string;
  readonly filter: Filter;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

const WAIT_MS = 20;

/** For a stream that has brought nothing new. */
export async function waitForMore(): Promise<void> {
  await sleep(WAIT_MS);
}

/** Times of day relate to the end of the trace, which has to be looked for where nothing tells it. */
export async function openInput(request: TraceRequest): Promise<Result<TraceInput>> {
  const { file, from, to } = request;
  const keys = new IdentityTable();
  const opened = await openTrace(file, keys);
  if (!opened.ok) return opened;
  const reader = opened.value;
  const info = new TraceInfo(reader, keys);
  const filter = compileFilter(request.filter, keys, info);
  if (from === undefined && to === undefined) return ok({ reader, info, filter, range: ALL_TIME });
  const endNs = await endOf(reader, request);
  const range = endNs.ok ? timeRange(from, to, reader.header, endNs.value) : endNs;
  if (range.ok) return ok({ reader, info, filter, range: range.value });
  reader.dispose();
  return range;
}

async function endOf(
  reader: TraceReader,
  { file, from, to }: TraceRequest,
): Promise<Result<number>> {
  const { extent } = reader.header;
  if (extent !== undefined) return ok(extent.endNs);
  const isAbsolute = [from, to].every((one) => one === undefined || /^\+|^\d{4}-/.test(one.trim()));
  if (isAbsolute) return ok(0);
  if (file !== '-') return findEnd(file);
  const what = 'times of day relate to the end of the trace, which a stream does not tell';
  const remedy = 'give the date too, or +30s after the start';
  return err({ exitCode: ExitCode.usage, what, remedy });
}

async function findEnd(file: string): Promise<Result<number>> {
  const opened = await openTrace(file, new IdentityTable());
  if (!opened.ok) return opened;
  let endNs = 0;
  const rows = ({ length, completeNs }: { length: number; completeNs: Float64Array }): void => {
    for (let row = 0; row < length; row++) endNs = Math.max(endNs, completeNs[row]!);
  };
  await readTrace(opened.value, { rows }, waitForMore);
  opened.value.dispose();
  return ok(endNs);
}
