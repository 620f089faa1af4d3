import type { TimeRange } from '../../base/time.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Result } from '../../base/result.ts';
import { err, ExitCode, ok } from '../../base/result.ts';
import { readTrace } from '../../export/trace/read-trace.ts';
import { TraceInfo } from '../../export/trace/trace-info.ts';
import { asksLayer, withoutLayer } from '../../filter/layer.ts';
import type { LayeredFilter } from '../../filter/layer.ts';
import { compileFilter, compileInLayer } from '../../filter/match/match.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import type { Filter } from '../../filter/filter.ts';
import { IdentityTable } from '../../model/identity-table.ts';
import type { Layer } from '../../model/layer.ts';
import type { TraceReader } from '../../trace/trace-reader.ts';
import { JoinedReader } from '../../trace/replay/joined-reader.ts';
import { withFilterAndLayer } from '../../view/reduce/layers.ts';
import { DEFAULT_VIEW } from '../../view/state.ts';
import { STDIN_FILE } from '../options/options.ts';
import { mixedDates, mixedLatencies } from './mixed-traces.ts';
import { openTraces } from './open-traces.ts';
import { ALL_TIME, timeRange } from './trace-times.ts';

/** An open trace, and the part of it that is selected. */
export interface TraceInput {
  readonly reader: TraceReader;
  readonly info: TraceInfo;
  readonly filter: CompiledFilter;
  readonly range: TimeRange;
}

export interface TraceRequest {
  /** At least one. */
  readonly files: readonly string[];
  /** Disks of one name are one disk, whatever host they were traced on. */
  readonly oneHost: boolean;
  readonly filter: Filter;
  /** Default: the one to which the filter belongs, else that of disks; a filter on several layers has all of them. */
  readonly layer: Layer | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

const WAIT_MS = 20;

/** How long to wait for a stream that has brought nothing new. */
export async function waitForMore(): Promise<void> {
  await sleep(WAIT_MS);
}

/** Times of day relate to the end of the trace, which is read for it where the file does not state it. */
export async function openInput(request: TraceRequest): Promise<Result<TraceInput>> {
  const { from, to } = request;
  const identities = new IdentityTable();
  const opened = await openReader(request, identities);
  if (!opened.ok) return opened;
  const reader = opened.value;
  const info = new TraceInfo(reader, identities);
  const asked = await layeredFilter(request);
  if (!asked.ok) {
    reader.dispose();
    return asked;
  }
  const filter = compileLayered(asked.value, identities, info);
  if (from === undefined && to === undefined) return ok({ reader, info, filter, range: ALL_TIME });
  const endNs = await endOf(reader, request);
  const range = endNs.ok ? timeRange(from, to, reader.header, endNs.value) : endNs;
  if (range.ok) return ok({ reader, info, filter, range: range.value });
  reader.dispose();
  return range;
}

function compileLayered(
  { filter, layer }: LayeredFilter,
  identities: IdentityTable,
  info: TraceInfo,
): CompiledFilter {
  return layer === undefined
    ? compileFilter(filter, identities, info)
    : compileInLayer(filter, layer, identities, info);
}

/** The filter and its layer, chosen as on the screen; without a layer, the filter asks for several. */
async function layeredFilter(request: TraceRequest): Promise<Result<LayeredFilter>> {
  const { filter, layer } = request;
  if (layer !== undefined) return ok({ filter, layer });
  const isOfSeveral = asksLayer(filter) && withoutLayer(filter).layer === undefined;
  if (isOfSeveral) return ok({ filter, layer });
  const asOnScreen = (layers: readonly Layer[]): LayeredFilter =>
    withFilterAndLayer(DEFAULT_VIEW, filter, layers);
  const [known, withCalls] = [asOnScreen([]), asOnScreen(['calls'])];
  // A second reading, only for a filter whose layer depends on whether waits were recorded. A stream has no second one.
  const isKnown = known.layer === withCalls.layer || request.files.includes(STDIN_FILE);
  if (isKnown) return ok(known);
  const seen = await readThrough(request);
  return seen.ok ? ok(asOnScreen(seen.value.layers)) : seen;
}

/** Several files are one trace. */
async function openReader(
  { files, oneHost }: TraceRequest,
  identities: IdentityTable,
): Promise<Result<TraceReader>> {
  const traces = await openTraces(files, identities);
  if (!traces.ok) return traces;
  const [first, ...others] = traces.value;
  if (others.length === 0) return ok(first!.reader);
  const refused = mixedDates(traces.value) ?? mixedLatencies(traces.value);
  if (refused === undefined) return ok(new JoinedReader(traces.value, { identities, oneHost }));
  for (const { reader } of traces.value) reader.dispose();
  return err(refused);
}

async function endOf(reader: TraceReader, request: TraceRequest): Promise<Result<number>> {
  const { files, from, to } = request;
  const { extent } = reader.header;
  if (extent !== undefined) return ok(extent.endNs);
  const isAbsolute = [from, to].every((one) => one === undefined || /^\+|^\d{4}-/.test(one.trim()));
  if (isAbsolute) return ok(0);
  if (!files.includes(STDIN_FILE)) {
    const seen = await readThrough(request);
    return seen.ok ? ok(seen.value.endNs) : seen;
  }
  const what = 'times of day relate to the end of the trace, which is unknown in a stream';
  const remedy = 'add the date, or use +30s after the start';
  return err({ exitCode: ExitCode.usage, what, remedy });
}

/** What is known of a trace only after reading all of it. */
interface WholeTrace {
  readonly endNs: number;
  readonly layers: readonly Layer[];
}

async function readThrough(request: TraceRequest): Promise<Result<WholeTrace>> {
  const identities = new IdentityTable();
  const opened = await openReader(request, identities);
  if (!opened.ok) return opened;
  let endNs = 0;
  const rows = ({ length, completeNs }: { length: number; completeNs: Float64Array }): void => {
    for (let row = 0; row < length; row++) endNs = Math.max(endNs, completeNs[row]!);
  };
  await readTrace(opened.value, { rows }, waitForMore);
  opened.value.dispose();
  return ok({ endNs, layers: [...identities.layers] });
}
