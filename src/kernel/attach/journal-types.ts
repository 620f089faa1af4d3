import { parseBtf, type Btf } from '../abi/btf.ts';
import { JOURNAL } from './drift.ts';

/** The journal of ext4, part of the kernel or a module of its own. */
export const JOURNAL_MODULE = 'jbd2';

/** Where it is, or is not. */
export interface JournalTypes {
  /** There is no such journal here, as long as its module is not loaded. */
  readonly isAbsent: boolean;
  /** Of the module; undefined where the kernel has them, or nobody. */
  readonly types: Btf | undefined;
}

/** Where a loaded module has its state; parts of the kernel have none. */
export function moduleStatePath(module: string): string {
  return `/sys/module/${module}/initstate`;
}

/** `read`: undefined for what cannot be read. */
export function findJournalTypes(
  kernel: Btf,
  read: (path: string) => Uint8Array | undefined,
): JournalTypes {
  if (JOURNAL.some(({ name }) => kernel.tracepointArguments(name) !== undefined))
    return { isAbsent: false, types: undefined };
  if (read(moduleStatePath(JOURNAL_MODULE)) === undefined)
    return { isAbsent: true, types: undefined };
  const bytes = read(`/sys/kernel/btf/${JOURNAL_MODULE}`);
  if (bytes === undefined) return { isAbsent: false, types: undefined };
  const types = parseBtf(Buffer.from(bytes), kernel);
  return { isAbsent: false, types: types.ok ? types.value : undefined };
}
