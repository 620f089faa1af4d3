import type { KernelFilter } from '../kernel/kernel-filter.ts';
import type { AnyOf, Filter } from '../model/filter.ts';

/** The part of a filter that the kernel can apply, so that what is not wanted costs nothing there. */
export function kernelFilter({ devs, tgids, opClasses }: Filter): KernelFilter {
  return {
    ...within('devs', devs),
    ...within('tgids', tgids),
    ...within('opClasses', opClasses),
  };
}

/** The kernel knows lists of what passes, not of what does not. */
function within<K extends string, T>(
  name: K,
  condition: AnyOf<T> | undefined,
): Partial<Record<K, readonly T[]>> {
  if (condition === undefined || condition.invert === true) return {};
  return { [name]: condition.values } as Record<K, readonly T[]>;
}
