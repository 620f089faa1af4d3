import type { IoheatError, Result } from '../../base/result.ts';
import { err, ExitCode, ok } from '../../base/result.ts';
import { readContainerNames } from '../../kernel/machine/container-names.ts';
import type { ContainerName } from '../../kernel/machine/container-names.ts';
import { kernelNowNs } from '../../kernel/machine/clock-base.ts';
import { attachTracer } from '../../kernel/attach/attach.ts';
import { SWITCH, SYS_ENTER, SYS_EXIT } from '../../kernel/attach/drift.ts';
import { listDisks, type Disk } from '../../kernel/machine/disks.ts';
import { checkFileSystems } from '../../kernel/machine/file-systems.ts';
import { openLiveSource } from '../../kernel/live/live-source.ts';
import type { LiveOptions, LiveSource } from '../../kernel/live/live-source.ts';
import { canTrace } from '../../kernel/privilege/capabilities.ts';
import type { DropPlan } from '../../kernel/privilege/drop-plan.ts';
import { explainRights } from '../../kernel/privilege/explain.ts';
import { handOver, keepFromChildren } from '../../kernel/privilege/handover.ts';
import { parseTraceHandover } from '../../kernel/attach/trace-handover.ts';
import type { MissingTracepoint, TraceHandover } from '../../kernel/attach/trace-handover.ts';
import { kernelPart } from '../../filter/match/kernel-filter.ts';
import type { KernelPart } from '../../filter/match/kernel-filter.ts';
import { IdentityTable } from '../../model/identity-table.ts';
import { realClock } from './clocks.ts';
import { filterFromOptions } from './filter-from-options.ts';
import { layersOfPrograms } from './layers-of-programs.ts';
import type { OpenedSource } from './opened-source.ts';
import { StartFilter } from './start-filter.ts';
import { spareProcessors } from './sparing-v8.ts';
import type { Options } from '../options/options.ts';
import type { Pass } from '../privilege/privilege-gate.ts';
import { tell } from '../process/print.ts';
import { ProgressLine } from '../process/progress-line.ts';

/** What the first stage passes to the second. */
interface StagePayload {
  readonly trace: TraceHandover;
  /** What was attached, and libbpf's messages, which the second stage cannot obtain any more. */
  readonly notes: readonly string[];
  readonly containers: readonly (readonly [id: string, name: ContainerName])[];
}

/**
 * The live source of this machine. In the first stage this call does not return: it attaches, drops all
 * privileges and re-executes the program, whose call returns the source.
 */
export function openLive(options: Options, pass: Pass): Result<OpenedSource> {
  const handover = pass.kind === 'unprivileged' ? pass.handover : undefined;
  if (handover?.payload !== undefined) {
    const kept = keepFromChildren(handover.fds);
    if (!kept.ok) return kept;
    spareProcessors();
    return resume(handover.payload, options);
  }
  const mounted = checkFileSystems();
  if (!mounted.ok) return mounted;
  // A wrong name is reported before anything is attached.
  const disks = listDisks();
  const filter = filterFromOptions(options, disks);
  if (!filter.ok) return filter;
  if (pass.kind !== 'attach' || !canTrace()) return err(explainRights());
  return attachAndDrop(options, disks, kernelPart(filter.value, disks), pass.plan);
}

function attachAndDrop(
  options: Options,
  disks: readonly Disk[],
  filter: KernelPart,
  plan: DropPlan,
): Result<OpenedSource> {
  const layers = layersOfPrograms(options);
  const wanted = { waits: layers.includes('waits'), calls: layers.includes('calls') };
  // On a busy machine this takes seconds, before there is a screen.
  const isSeen = options.command === 'live' && !options.once && process.stderr.isTTY;
  const progress = new ProgressLine(isSeen, tell);
  progress.show('ioheat: attaching to the kernel', performance.now());
  const tracer = attachTracer({
    ringBytes: options.ringBytes,
    ...{ disks, filter, ...budgetOf(options), ...wanted },
  });
  progress.clear();
  if (!tracer.ok) return tracer;
  const { handover, fds, attached, missing, log } = tracer.value;
  const refused = missing.map(cannotSee).find((error) => error !== undefined);
  if (refused !== undefined) {
    tracer.value.dispose();
    return err(refused);
  }
  const notes = [`attached ${attached.join(', ')}`, ...missing.map(noteOf), ...log];
  const payload: StagePayload = { trace: handover, notes, containers: readContainerNames() };
  if (plan.kind === 'stay-root') return resume(payload, options);
  return handOver({ plan, fds, payload, mayStayRoot: true });
}

function noteOf({ tracepoint, lost, refusal }: MissingTracepoint): string {
  const because = refusal === undefined ? '' : `; the kernel refused the programs: ${refusal}`;
  return `no ${tracepoint}: ${lost}${because}`;
}

/** What was asked for expressly, and cannot be traced without. */
function cannotSee({ tracepoint, lacks, refusal }: MissingTracepoint): IoheatError | undefined {
  const lacking = `it lacks ${lacks ?? `the tracepoint ${tracepoint}, or parts of it`}`;
  const why = refusal === undefined ? lacking : `it refused the programs: ${refusal}`;
  if (tracepoint === SWITCH.name)
    return {
      exitCode: ExitCode.cannotTrace,
      what: 'this kernel does not report what programs wait for',
      why,
      remedy: `${remedyFor(refusal, 'use Linux 5.15 or newer')}, or leave out --waits`,
    };
  if (tracepoint !== SYS_ENTER.name && tracepoint !== SYS_EXIT.name) return undefined;
  return {
    exitCode: ExitCode.cannotTrace,
    what: 'this kernel does not report system calls',
    why,
    remedy: `${remedyFor(refusal, 'use Linux 5.11 or newer with CONFIG_HAVE_SYSCALL_TRACEPOINTS')}, or leave out --calls`,
  };
}

/** A kernel that refuses a program is not too old for it. */
function remedyFor(refusal: string | undefined, ifLacking: string): string {
  return refusal === undefined ? ifLacking : 'run `ioheat doctor`, which says what is lost';
}

/** The payload is this program's own, written a moment ago; the trace in it is still checked. */
function resume(payload: unknown, options: Options): Result<OpenedSource> {
  const { trace, notes, containers } = payload as StagePayload;
  const handover = parseTraceHandover(trace);
  if (!handover.ok) return handover;
  const source = openLiveSource(handover.value, new IdentityTable(), {
    ...budgetOf(options),
    containers: new Map(containers),
  });
  if (!source.ok) return source;
  const { info } = source.value;
  const filter = filterFromOptions(options, info.devices());
  if (!filter.ok) return filter;
  const started = new StartFilter(filter.value, source.value);
  const { recordedOnly } = started;
  keepDevicesFresh(source.value, started);
  const clock = realClock(info.clockBase, kernelNowNs);
  return ok({ source: source.value, clock, filter: filter.value, recordedOnly, notes });
}

function budgetOf({ budget }: Options): LiveOptions {
  return { budget: budget === Infinity ? undefined : budget };
}

const REFRESH_EVERY_MS = 1000;

/** Disks come and go while tracing, and I/O gets lost. The timer ends with the program. */
function keepDevicesFresh(source: LiveSource, filter: StartFilter): void {
  setInterval(() => {
    source.refreshDevices();
    filter.followDisks();
    source.audit();
  }, REFRESH_EVERY_MS).unref();
}
