import type { Result } from '../../base/result.ts';
import { ExitCode, ok } from '../../base/result.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import { sendNote } from '../notes/send-note.ts';
import { forPeople, print } from '../process/print.ts';

/** `ioheat note`: brings a text to the recorders that run. */
export async function runNote(text: string): Promise<Result<number>> {
  const sent = await sendNote(text, process.env);
  if (!sent.ok) return sent;
  const printed = await print(`${forPeople(sanitizeText(sent.value))}\n`);
  return printed.ok ? ok(ExitCode.fine) : printed;
}
