/**
 * How long a disk had at least one request in flight within a stretch of time, by the kernel's own count: what iostat
 * shows as `%util`. Times in ns, on the clock of the trace.
 */
export interface DiskBusy {
  readonly dev: number;
  readonly fromNs: number;
  readonly toNs: number;
  readonly busyNs: number;
}
