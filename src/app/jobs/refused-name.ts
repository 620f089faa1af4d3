import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { partOf } from '../../base/partial-file.ts';
import type { Result } from '../../base/result.ts';
import { err, formatError, ok } from '../../base/result.ts';
import { EXTENSIONS, formatOfName } from '../../export/formats.ts';
import type { ExportFormat } from '../../export/formats.ts';

export const NO_NAME = 'type the name of a file';

/** Why no new file can have that name; undefined where it can, as far as that shows before it is written. */
export function refusedName(path: string): string | undefined {
  if (path === '') return NO_NAME;
  const part = partOf(path);
  if (!part.ok) return formatError(part.error);
  const folder = statSync(dirname(path), { throwIfNoEntry: false });
  return folder?.isDirectory() === true ? undefined : `cannot create ${path}: no such directory`;
}

const SUGGESTED = Object.values(EXTENSIONS).map(([extension]) => `.${extension}`);

/** The format to write to a file of that name, or that there is none. */
export function formatToWrite(path: string): Result<ExportFormat, string> {
  const format = formatOfName(path);
  if (format !== undefined) return ok(format);
  return err(`use ${SUGGESTED.join(' ')}`);
}
