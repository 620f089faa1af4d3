import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { IoheatError, Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import { isSystemError } from '../../base/system-error.ts';
import { IdentityTable } from '../../model/identity-table.ts';
import type { NamedTrace } from '../../trace/replay/join-traces.ts';
import { STDIN_FILE } from '../options/options.ts';
import { usageError } from '../options/usage-error.ts';
import { openTrace } from './open-trace.ts';

/** Opens all traces, or none. A single trace uses `identities`; each of several has a table of its own. */
export async function openTraces(
  files: readonly string[],
  identities: IdentityTable,
): Promise<Result<NamedTrace[]>> {
  if (files.includes(STDIN_FILE) && files.length > 1)
    return err(usageError('standard input (-) cannot be combined with files'));
  const repeated = givenTwice(files);
  if (repeated !== undefined) return err(repeated);
  const traces: NamedTrace[] = [];
  for (const file of files) {
    const own = files.length === 1 ? identities : new IdentityTable();
    const opened = await openTrace(file, own);
    if (!opened.ok) {
      for (const { reader } of traces) reader.dispose();
      return opened;
    }
    traces.push({ name: basename(file), reader: opened.value, identities: own });
  }
  return ok(traces);
}

/** Each I/O of a file that is read twice would be counted twice, under whatever names it is given. */
function givenTwice(files: readonly string[]): IoheatError | undefined {
  const names = new Map<string, string>();
  for (const file of files) {
    const id = inodeOf(file);
    if (id === undefined) continue;
    const before = names.get(id);
    names.set(id, file);
    if (before === undefined) continue;
    const remedy = 'give each file once';
    return before === file
      ? usageError(`cannot read ${file} twice`, 'its I/O would be counted twice', remedy)
      : usageError(`cannot combine ${before} and ${file}`, 'they are the same file', remedy);
  }
  return undefined;
}

/** Undefined for a file that cannot be opened either, which says why. */
function inodeOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev}:${ino}`;
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    return undefined;
  }
}
