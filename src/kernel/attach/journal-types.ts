import { parseBtf, type Btf } from '../abi/btf.ts';
import { JOURNAL } from './drift.ts';

/** The journal of ext4, which is part of the kernel or a module of its own. */
export const JOURNAL_MODULE = 'jbd2';

/** Where the kernel has the types of that journal. */
export interface JournalTypes {
  /** Whether the kernel has no such journal, because its module is not loaded. */
  readonly isAbsent: boolean;
  /** The types of the module; undefined where they are part of the kernel's or missing. */
  readonly types: Btf | undefined;
}

/** The file with the state of a loaded module. Parts of the kernel have no such file. */
export function moduleStatePath(module: string): string {
  return `/sys/module/${module}/initstate`;
}

/** `read` returns undefined for a file that cannot be read. */
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
