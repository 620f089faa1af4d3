import type { Result } from '../../base/result.ts';
import { ok } from '../../base/result.ts';
import { becomeUser } from '../../kernel/privilege/become-user.ts';
import { handOver } from '../../kernel/privilege/handover.ts';
import { openAwake, raisePriority } from '../../paint/keep-cpus-awake.ts';
import { holdDisk } from '../../paint/held-disk.ts';
import type { HeldDisk } from '../../paint/held-disk.ts';
import type { Pass } from '../privilege/privilege-gate.ts';
import type { PaintOptions } from '../options/paint-options.ts';

/** The descriptors that were opened before privileges were dropped. */
export interface HeldForPaint {
  readonly disk: HeldDisk;
  /** A descriptor that keeps idle CPUs awake. */
  readonly awakeFd: number | undefined;
}

/**
 * Opens what requires privileges, then drops them. A login as root does not return from here: without
 * capabilities it can open disks as their owner, and does so after it has re-executed itself.
 */
export function holdAndDrop(options: PaintOptions, pass: Pass): Result<HeldForPaint> {
  const isTimed = options.metric === 'latency';
  if (pass.kind !== 'descriptor') {
    if (isTimed) raisePriority();
    return ok({ disk: undefined, awakeFd: isTimed ? openAwake() : undefined });
  }
  const { plan } = pass;
  if (plan.kind !== 'sudo-user') {
    if (isTimed) raisePriority();
    return handOver({ plan, fds: [], payload: undefined });
  }
  const disk = holdDisk(options.target, options.writes);
  const awakeFd = isTimed ? openAwake() : undefined;
  const became = becomeUser(plan);
  return became.ok ? ok({ disk, awakeFd }) : became;
}
