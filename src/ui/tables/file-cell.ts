import { UNKNOWN } from '../../base/format.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import { truncatePath } from '../text/span.ts';

/** Follows the path if the I/O has bytes of other files as well. */
const OTHER_FILES_MARK = '+';

interface OfFile {
  /** The path, raw. */
  readonly file?: string | undefined;
  readonly hasOtherFiles?: boolean | undefined;
}

/** The file of one I/O; the end of the path is kept, and the mark is never cut off. */
export function fileCell({ file, hasOtherFiles }: OfFile, width: number): string {
  const mark = hasOtherFiles === true ? OTHER_FILES_MARK : '';
  return truncatePath(sanitizeText(file ?? UNKNOWN), width - mark.length) + mark;
}
