import { ok, type Result } from '../../base/result.ts';
import { Control, Counters, Extent, Inflight, Summary } from '../abi/layout.ts';
import { mapMemory, wholePages, type Mapping } from '../native/mapping.ts';
import type { SyscallError } from '../native/syscalls.ts';
import type { TraceHandover } from '../attach/trace-handover.ts';
import { SUMMARIES_PER_DEVICE } from '../attach/trace-sizes.ts';

/** The maps that user space reads, except the ring, mapped into this process. */
export interface TraceMappings {
  readonly inflight: ArrayBuffer;
  readonly extents: ArrayBuffer;
  readonly summaries: ArrayBuffer;
  readonly counters: ArrayBuffer;
  readonly control: ArrayBuffer;
  dispose(): void;
}

export function mapTrace(handover: TraceHandover): Result<TraceMappings, SyscallError> {
  const { inflight, extents, summaries, counters, control } = handover;
  const summaryCount = (summaries.devices + 1) * SUMMARIES_PER_DEVICE * summaries.stripes;
  const wanted = [
    { fd: inflight.fd, bytes: inflight.slots * Inflight.bytes, writable: false },
    { fd: extents.fd, bytes: inflight.slots * Extent.bytes, writable: false },
    { fd: summaries.fd, bytes: summaryCount * Summary.bytes, writable: false },
    { fd: counters.fd, bytes: counters.cpus * Counters.bytes, writable: false },
    { fd: control.fd, bytes: Control.bytes, writable: true },
  ];
  const mapped: Mapping[] = [];
  const dispose = (): void => {
    mapped.splice(0).forEach((mapping) => {
      mapping.dispose();
    });
  };
  for (const request of wanted) {
    const mapping = mapMemory({ ...request, bytes: wholePages(request.bytes) });
    if (!mapping.ok) {
      dispose();
      return mapping;
    }
    mapped.push(mapping.value);
  }
  const [slots, places, sums, counts, controls] = mapped.map((mapping) => mapping.buffer);
  return ok({
    inflight: slots!,
    extents: places!,
    summaries: sums!,
    counters: counts!,
    control: controls!,
    dispose,
  });
}
