import { ok, type Result } from '../../base/result.ts';
import { Control, Counters, Extent, FileId, Inflight, Summary, Via } from '../abi/layout.ts';
import { mapMemory, wholePages, type Mapping } from '../native/mapping.ts';
import type { SyscallError } from '../native/syscalls.ts';
import type { TraceHandover } from '../attach/trace-handover.ts';
import { summaryCount } from '../attach/trace-sizes.ts';

/** The maps that user space reads, except the ring, mapped into this process. */
export interface TraceMappings {
  readonly inflight: ArrayBuffer;
  readonly extents: ArrayBuffer;
  /** Absent if the programs cannot read files. */
  readonly files: ArrayBuffer | undefined;
  /** Absent if the programs do not note writers. */
  readonly vias: ArrayBuffer | undefined;
  readonly summaries: ArrayBuffer;
  readonly counters: ArrayBuffer;
  readonly control: ArrayBuffer;
  dispose(): void;
}

/** Maps all that the handover has, or nothing if one mapping fails. The descriptors stay open. */
export function mapTrace(handover: TraceHandover): Result<TraceMappings, SyscallError> {
  const { inflight, extents, files, vias, summaries, counters, control } = handover;
  const { slots } = inflight;
  const wanted = [
    { fd: inflight.fd, bytes: slots * Inflight.bytes, writable: false },
    { fd: extents.fd, bytes: slots * Extent.bytes, writable: false },
    { fd: files?.fd, bytes: slots * FileId.bytes, writable: false },
    { fd: vias?.fd, bytes: slots * Via.bytes, writable: false },
    { fd: summaries.fd, bytes: summaryCount(summaries) * Summary.bytes, writable: false },
    { fd: counters.fd, bytes: counters.cpus * Counters.bytes, writable: false },
    { fd: control.fd, bytes: Control.bytes, writable: true },
  ];
  const mapped: (Mapping | undefined)[] = [];
  const dispose = (): void => {
    mapped.splice(0).forEach((mapping) => {
      mapping?.dispose();
    });
  };
  for (const { fd, bytes, writable } of wanted) {
    const mapping =
      fd === undefined ? ok(undefined) : mapMemory({ fd, bytes: wholePages(bytes), writable });
    if (!mapping.ok) {
      dispose();
      return mapping;
    }
    mapped.push(mapping.value);
  }
  const [slotMap, extentMap, fileMap, viaMap, ...others] = mapped.map((mapping) => mapping?.buffer);
  const [sums, counts, controls] = others;
  return ok({
    inflight: slotMap!,
    extents: extentMap!,
    files: fileMap,
    vias: viaMap,
    summaries: sums!,
    counters: counts!,
    control: controls!,
    dispose,
  });
}
