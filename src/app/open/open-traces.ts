import { basename } from 'node:path';
import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import { IdentityTable } from '../../model/identity-table.ts';
import type { NamedTrace } from '../../trace/replay/join-traces.ts';
import { STDIN_FILE } from '../options/options.ts';
import { usageError } from '../options/usage-error.ts';
import { openTrace } from './open-trace.ts';

/** Opens all traces, or none. A single trace uses `keys`; each of several has a table of its own. */
export async function openTraces(
  files: readonly string[],
  identities: IdentityTable,
): Promise<Result<NamedTrace[]>> {
  if (files.includes(STDIN_FILE) && files.length > 1)
    return err(usageError('standard input (-) cannot be combined with files'));
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
