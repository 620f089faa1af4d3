import { safeJson } from '../../base/safe-json.ts';
import type { SingleIo } from '../../query/box/drill-down.ts';
import type { TraceHeader } from '../../source/trace-reader.ts';
import { isoTime, wallNsOf } from '../wall-time.ts';
import type { GroupFigures, Latencies, Report } from './report.ts';

/** The report as one JSON object, units in the names; null for what is not known. */
export function reportJson(report: Report): string {
  return `${safeJson(reportObject(report), 2)}\n`;
}

function reportObject(report: Report): unknown {
  const { header, counters, startNs, endNs } = report;
  return {
    report_version: 1,
    file: report.file,
    trace: traceObject(report),
    filter: report.filter === '' ? null : report.filter,
    first_completion: timeOf(header, startNs),
    last_completion: timeOf(header, endNs),
    duration_ns: startNs === undefined || endNs === undefined ? null : Math.round(endNs - startNs),
    totals: figuresObject(report.total),
    disks: report.disks.map(({ disk, ...rest }) => ({ disk, ...figuresObject(rest) })),
    processes: report.processes.map(({ pid, comm, ...rest }) => ({
      pid: pid ?? null,
      comm,
      ...figuresObject(rest),
    })),
    worst: report.worst.map((io) => worstObject(io, header)),
    errors: report.errors,
    undecided_ios: report.undecided,
    losses: counters === undefined ? null : lossesObject(counters),
    gaps: report.gaps.map((gap) => ({
      from: timeOf(header, gap.startNs),
      to: timeOf(header, gap.endNs),
      from_trace_ns: gap.startNs,
      to_trace_ns: gap.endNs,
    })),
    problems: report.problems,
  };
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

function lossesObject({
  delivered,
  summarised,
  lost,
  losses,
}: NonNullable<Report['counters']>): unknown {
  return { delivered_ios: delivered, summarised_ios: summarised, lost_ios: lost, by_way: losses };
}

function figuresObject(figures: GroupFigures): Record<string, unknown> {
  return {
    ios: figures.count,
    ios_by_op: figures.counts,
    read_bytes: figures.readBytes,
    written_bytes: figures.writtenBytes,
    ios_per_second: figures.perSecond ?? null,
    bytes_per_second: figures.bytesPerSecond ?? null,
    failed_ios: figures.errors,
    share_of_waiting: figures.waitShare,
    queue_latency: latencyObject(figures.queue),
    device_latency: latencyObject(figures.device),
    total_latency: latencyObject(figures.total),
  };
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

function worstObject(io: SingleIo, header: TraceHeader): unknown {
  return {
    time: timeOf(header, io.completeNs),
    trace_ns: Math.round(io.completeNs),
    device: io.disk,
    pid: io.tgid ?? null,
    tid: io.tid ?? null,
    comm: io.comm,
    op: io.opClass,
    flags: io.flags,
    sector: io.sector ?? null,
    bytes: io.bytes,
    queue_ns: io.queueNs ?? null,
    device_ns: io.deviceNs ?? null,
    total_ns: io.totalNs ?? null,
    error_text: io.error ?? '',
  };
}

function timeOf(header: TraceHeader, traceNs: number | undefined): string | null {
  if (traceNs === undefined || !header.hasWallClock) return null;
  return isoTime(wallNsOf(header.clockBase, traceNs));
}
