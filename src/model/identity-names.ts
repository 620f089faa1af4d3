import type { CgroupNames } from './cgroup-names.ts';
import type { DeviceNames } from './device.ts';
import type { KnownProcesses } from './known-processes.ts';

/** Names for what an identity has only as a number; implemented by `SourceInfo`. */
export interface IdentityNames extends DeviceNames {
  readonly cgroups?: CgroupNames;
  readonly processes?: KnownProcesses;
}
