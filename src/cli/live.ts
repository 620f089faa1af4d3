import type { Result } from '../base/result.ts';
import { err, ok } from '../base/result.ts';
import { MachineCgroups, findCgroupRoot } from '../kernel/cgroups.ts';
import { kernelNowNs } from '../kernel/clock-base.ts';
import { attachTracer } from '../kernel/attach.ts';
import { listDisks } from '../kernel/disks.ts';
import { checkFileSystems } from '../kernel/file-systems.ts';
import { openLiveSource } from '../kernel/live-source.ts';
import type { LiveSource } from '../kernel/live-source.ts';
import { canTrace } from '../kernel/privilege/capabilities.ts';
import type { DropPlan } from '../kernel/privilege/drop-plan.ts';
import { explainRights } from '../kernel/privilege/explain.ts';
import { handOver, keepFromChildren } from '../kernel/privilege/handover.ts';
import { parseTraceHandover } from '../kernel/trace-handover.ts';
import type { TraceHandover } from '../kernel/trace-handover.ts';
import { deviceName } from '../model/device.ts';
import type { DeviceNames } from '../model/device.ts';
import { allOf, term } from '../filter/filter.ts';
import { formatFilter } from '../filter/language/format.ts';
import { kernelPart } from '../filter/match/kernel-filter.ts';
import type { KernelPart } from '../filter/match/kernel-filter.ts';
import { IdentityTable } from '../model/identity-table.ts';
import { realClock } from './clocks.ts';
import { filterFromOptions } from './filter-from-options.ts';
import type { Opened } from './opened.ts';
import type { Options } from './options.ts';
import type { Pass } from './power-gate.ts';

/** What the first stage passes on. */
interface StagePayload {
  readonly trace: TraceHandover;
  /** What was attached, and libbpf's own words, which the second stage cannot learn any more. */
  readonly notes: readonly string[];
}

/**
 * The live source of this machine. In the first stage this call does not return: it attaches, gives
 * up all power and starts the program again, whose call returns the source.
 */
export function openLive(options: Options, pass: Pass): Result<Opened> {
  const handover = pass.kind === 'powerless' ? pass.handover : undefined;
  if (handover?.payload !== undefined) {
    const kept = keepFromChildren(handover.fds);
    return kept.ok ? resume(handover.payload, options) : kept;
  }
  const mounted = checkFileSystems();
  if (!mounted.ok) return mounted;
  // A wrong name is told before anything is attached.
  const disks = listDisks();
  const filter = filterFromOptions(options, disks);
  if (!filter.ok) return filter;
  if (pass.kind !== 'attach' || !canTrace()) return err(explainRights());
  return attachAndDrop(options, kernelPart(filter.value, disks), pass.plan);
}

function attachAndDrop(options: Options, filter: KernelPart, plan: DropPlan): Result<Opened> {
  const tracer = attachTracer({ ringBytes: options.ringBytes, filter });
  if (!tracer.ok) return tracer;
  const { handover, fds, attached, missing, log } = tracer.value;
  const notes = [
    `attached ${attached.join(', ')}`,
    ...missing.map(({ tracepoint, lost }) => `no ${tracepoint}: ${lost}`),
    ...log,
  ];
  const payload: StagePayload = { trace: handover, notes };
  if (plan.kind === 'stay-root') return resume(payload, options);
  return handOver({ plan, fds, payload, mayStayRoot: true });
}

/** The payload is this program's own, written a moment ago; the trace in it is checked all the same. */
function resume(payload: unknown, options: Options): Result<Opened> {
  const { trace, notes } = payload as StagePayload;
  const handover = parseTraceHandover(trace);
  if (!handover.ok) return handover;
  const source = openLiveSource(handover.value, new IdentityTable());
  if (!source.ok) return source;
  const { info } = source.value;
  const filter = filterFromOptions(options, info.devices());
  if (!filter.ok) return filter;
  const part = kernelPart(filter.value, info.devices());
  const recordedOnly = source.value.setFilter(part) ? describeKernelPart(part, info) : '';
  keepDevicesFresh(source.value);
  const clock = realClock(info.clockBase, kernelNowNs);
  const cgroups = new MachineCgroups(findCgroupRoot(), () => clock.nowNs() / 1e6);
  return ok({ source: source.value, clock, filter: filter.value, recordedOnly, cgroups, notes });
}

/** What the kernel lets through: the rest is not recorded, and no other filter brings it back. */
function describeKernelPart({ devs, tgids, opClasses }: KernelPart, names: DeviceNames): string {
  const terms = [
    term('disk', '=', ...(devs ?? []).map((dev) => deviceName(names, dev))),
    term('pid', '=', ...(tgids ?? [])),
    term('op', '=', ...(opClasses ?? [])),
  ];
  return formatFilter(allOf(terms.filter(({ values }) => values.length > 0)));
}

const REFRESH_EVERY_MS = 1000;

/** Disks come and go while they are traced, and I/O gets lost. The timer ends with the program. */
function keepDevicesFresh(source: LiveSource): void {
  setInterval(() => {
    source.refreshDevices();
    source.audit();
  }, REFRESH_EVERY_MS).unref();
}
