import { safeJson } from '../../base/safe-json.ts';
import type { InFlightRow } from '../../model/in-flight.ts';
import type { SourceCounters } from '../../trace/completion-summary.ts';
import type { TraceHeader } from '../../trace/trace-reader.ts';
import type { EventRow } from '../rows/event-row.ts';
import { identityMembers } from '../rows/ndjson.ts';
import { isoTime, wallNsOf } from '../wall-time.ts';
import type { GroupFigures, Latencies, Report } from './report.ts';

/** The report as one JSON object; names contain units, null means unknown. docs/json.md describes the fields. */
export function reportJson(report: Report): string {
  return `${safeJson(reportObject(report), 2)}\n`;
}

function reportObject(report: Report): unknown {
  const { header, counters, startNs, endNs } = report;
  return {
    report_version: 1,
    file: report.files.length === 1 ? report.files[0] : null,
    files: report.files,
    trace: traceObject(report),
    filter: report.filter === '' ? null : report.filter,
    layer: report.layer ?? null,
    other_layers: report.otherLayers,
    first_completion: timeOf(header, startNs),
    last_completion: timeOf(header, endNs),
    duration_ns: startNs === undefined || endNs === undefined ? null : Math.round(endNs - startNs),
    // The time that rates relate to.
    recorded_ns: recordedNs(report),
    range_widened: report.rates.isWidened,
    totals: figuresObject(report.total),
    disks: report.disks.map(({ disk, ...rest }) => ({ disk, ...figuresObject(rest) })),
    processes: report.processes.map(({ pid, comm, title, ...rest }) => ({
      pid: pid ?? null,
      comm: comm ?? null,
      // Owners can be unknown in several ways: never seen, merged with others, known only as aggregates.
      owner: comm === undefined && pid === undefined ? title.replace(/^\((.*)\)$/, '$1') : 'known',
      ...figuresObject(rest),
    })),
    // `stalled`: shares of the recorded time in which its tasks waited for storage; null if the trace does not have it.
    cgroups: report.cgroups.map(({ cgroup, stalled, ...rest }) => ({
      ...{ cgroup, stalled: stalled ?? null },
      ...figuresObject(rest),
    })),
    worst: report.slowest.map(({ event }) => slowestObject(event, header)),
    errors: report.errors.map(({ disk, op, text, count }) => ({
      disk,
      op: op ?? null,
      text,
      count,
    })),
    undecided_ios: report.undecided,
    losses: counters === undefined ? null : lossesObject(counters, report),
    gaps: report.gaps.map((gap) => ({
      from: timeOf(header, gap.startNs),
      to: timeOf(header, gap.endNs),
      from_trace_ns: Math.round(gap.startNs),
      to_trace_ns: Math.round(gap.endNs),
    })),
    // What had been in flight for a second or more; null if the trace does not have it.
    in_flight: report.inFlight?.map(inFlightObject) ?? null,
    // Shares of the recorded time in which tasks of the machine waited for storage; null if the trace does not have it.
    stalled: report.stalled ?? null,
    notes: report.notes.map(({ atNs, text }) => ({
      time: timeOf(header, atNs),
      trace_ns: Math.round(atNs),
      text,
    })),
    problems: report.problems.map(({ what, where, count, quote }) => ({
      ...{ what, where, count },
      quote: quote ?? null,
    })),
  };
}

/** Null if the trace does not have it: rates are over `duration_ns` then. */
function recordedNs({ rates }: Report): number | null {
  return rates.isRecorded ? Math.round(rates.spanNs) : null;
}

function traceObject({ header, devices }: Report): unknown {
  return {
    kind: header.kind,
    writer: header.writer,
    host: header.host === '' ? null : header.host,
    kernel: header.kernel === '' ? null : header.kernel,
    recorded_only: header.recordedOnly === '' ? null : header.recordedOnly,
    unknown_fields: header.unknown,
    devices: devices.map(({ name, sizeBytes, rotational, scheduler, model }) => ({
      name,
      size_bytes: sizeBytes ?? null,
      rotational: rotational ?? null,
      scheduler: scheduler ?? null,
      model: model ?? null,
    })),
  };
}

function lossesObject(counters: SourceCounters, { lostOn }: Report): unknown {
  const { delivered, summarised, lost, losses } = counters;
  return {
    delivered_ios: delivered,
    aggregated_ios: summarised,
    // The only name until 0.1.0: scripts read it.
    summarised_ios: summarised,
    lost_ios: lost,
    by_way: losses,
    // The losses of known disks; the rest may belong to any disk.
    by_disk: lostOn.map(({ disk, way, count }) => ({ disk, way, lost_ios: count })),
  };
}

function figuresObject(figures: GroupFigures): Record<string, unknown> {
  const { least } = figures;
  return {
    ios: figures.count,
    // How far `ios` may be off in 19 of 20 cases, as a share of it; null where it is exact.
    margin: figures.margin ?? null,
    // Of lower bounds, a script could not know that they are.
    ios_by_op: exact(least.divided, figures.counts),
    read_bytes: exact(least.divided, figures.readBytes),
    written_bytes: exact(least.divided, figures.writtenBytes),
    ios_per_second: figures.perSecond ?? null,
    bytes_per_second: exact(least.bytes, figures.bytesPerSecond),
    failed_ios: exact(least.errors, figures.errors),
    share_of_waiting: figures.waitShare ?? null,
    queue_latency: latencyObject(figures.queue),
    device_latency: latencyObject(figures.device),
    total_latency: latencyObject(figures.total),
  };
}

function exact<T>(isLeast: boolean, value: T | undefined): T | null {
  return isLeast ? null : (value ?? null);
}

function latencyObject({ p50Ns, p90Ns, p99Ns, p999Ns, maxNs }: Latencies): unknown {
  const whole = (ns: number | undefined): number | null =>
    ns === undefined ? null : Math.round(ns);
  return {
    p50_ns: whole(p50Ns),
    p90_ns: whole(p90Ns),
    p99_ns: whole(p99Ns),
    p99_9_ns: whole(p999Ns),
    max_ns: whole(maxNs),
  };
}

function slowestObject({ identity, ...event }: EventRow, header: TraceHeader): unknown {
  return {
    time: timeOf(header, event.traceNs),
    trace_ns: event.traceNs,
    ...identityMembers(identity),
    sector: event.sector ?? null,
    bytes: event.bytes ?? null,
    queue_ns: event.queueNs ?? null,
    device_ns: event.deviceNs ?? null,
    total_ns: event.totalNs ?? null,
    file: event.file ?? null,
    other_files: event.otherFiles ?? null,
    file_offset: event.fileOffset ?? null,
    result: event.result ?? null,
    inode: event.inode ?? null,
    generation: event.generation ?? null,
    file_dev: event.fileDev ?? null,
    first_seen_ns: event.firstSeenNs ?? null,
  };
}

function inFlightObject(io: InFlightRow): unknown {
  return {
    age_ns: Math.round(io.ageNs),
    layer: io.layer,
    stage: io.stage ?? null,
    disk: io.disk,
    pid: io.tgid ?? null,
    comm: io.tgid === undefined || io.comm === '' ? null : io.comm,
    via: io.via ?? null,
    file: io.file ?? null,
    op: io.opClass ?? null,
    bytes: io.bytes ?? null,
    sector: io.sector ?? null,
  };
}

function timeOf(header: TraceHeader, traceNs: number | undefined): string | null {
  if (traceNs === undefined || !header.hasWallClock) return null;
  return isoTime(wallNsOf(header.clockBase, traceNs));
}
