import { cgroupNumber } from './cgroup-names.ts';
import type { CgroupNames } from './cgroup-names.ts';
import type { DeviceNames } from './device.ts';
import type { KnownProcesses } from './known-processes.ts';
import type { TraceLatency } from './layer.ts';

/** Names for what an identity has only as a number; implemented by `SourceInfo`. */
export interface IdentityNames extends DeviceNames {
  readonly cgroups?: CgroupNames;
  readonly processes?: KnownProcesses;
  /** Of an imported or recorded trace. */
  readonly origin?: { readonly latency?: TraceLatency };
}

/**
 * A number that the kernel of a host gave to a process, thread or cgroup. If the trace has several hosts, the host
 * follows, because each may have given the same number: `1234@web1`.
 */
export function numberAtHost(number: number, host: string | undefined): number | string {
  return host === undefined ? number : `${number}@${host}`;
}

/** What a filter compares with a cgroup: its name, or its number if the name is not known. */
export function cgroupKey(id: number, dev: number, names: IdentityNames): string {
  return names.cgroups?.name(id) ?? String(numberAtHost(cgroupNumber(id), names.device(dev)?.host));
}
