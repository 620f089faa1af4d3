import type { Options } from '../app/options/options.ts';
import type { PaintOptions } from '../app/options/paint-options.ts';
import type { TraceCommand } from '../app/options/trace-command.ts';
import type { Result } from '../base/result.ts';
import { ok } from '../base/result.ts';
import { checkOptions } from './check-options.ts';
import { checkPaintOptions } from './check-paint-options.ts';
import { checkTraceCommand } from './check-trace-command.ts';
import { checkWords } from './check-words.ts';
import { checkNote } from './check-note.ts';
import { list, text } from './raw-options.ts';
import type { Shell } from './shells.ts';

/** Options to run with, or a text to print before exit 0 (`--help`, `--version`, completions). */
export type Parsed =
  | { readonly options: Options }
  | { readonly paint: PaintOptions }
  | { readonly trace: TraceCommand }
  | { readonly note: string }
  | { readonly print: string };

/** Reads the command line. Never exits and never prints: `main` does. */
export async function parseArgs(argv: readonly string[], version: string): Promise<Result<Parsed>> {
  const words = checkWords(argv);
  if (!words.ok) return words;
  if ('question' in words.value) {
    if (words.value.question === 'version') return ok({ print: version });
    const { helpText } = await import('./help-text.ts');
    return ok({ print: await helpText(words.value.about) });
  }
  const { command, raw } = words.value;
  if (command === 'completion') {
    const { completionScript } = await import('./completion-script.ts');
    return ok({ print: completionScript(text(raw, 'shell') as Shell) });
  }
  if (command === 'note') {
    const note = checkNote(list(raw, 'text'));
    return note.ok ? ok({ note: note.value }) : note;
  }
  if (command === 'paint') {
    const paint = checkPaintOptions(raw);
    return paint.ok ? ok({ paint: paint.value }) : paint;
  }
  if (command === 'export' || command === 'report') {
    const trace = checkTraceCommand(command, raw);
    return trace.ok ? ok({ trace: trace.value }) : trace;
  }
  const checked = checkOptions(command, raw);
  return checked.ok ? ok({ options: checked.value }) : checked;
}
