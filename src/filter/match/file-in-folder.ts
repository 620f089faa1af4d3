import { sanitizeText } from '../../base/sanitize.ts';
import { fileText, otherFilesOf } from '../../model/file.ts';
import type { FileFacts } from '../../model/file.ts';
import type { Term } from '../filter.ts';
import { either, opposite, Verdict } from '../verdict.ts';
import { matches } from './identity-facts.ts';

/** What a condition on the path says of files of which only the folder is known. */
export function judgeFileInFolder({ operator, values }: Term, others: FileFacts): Verdict {
  const isPattern = operator === '~' || operator === '!~';
  const verdict = values
    .map((value) => (isPattern ? judgePattern : judgePath)(String(value), others))
    .reduce(either, Verdict.no);
  return operator === '=' || operator === '~' ? verdict : opposite(verdict);
}

function judgePath(path: string, others: FileFacts): Verdict {
  if (path === fileText(others)) return Verdict.yes;
  return otherFilesOf({ ...others, path })?.path === others.path ? Verdict.maybe : Verdict.no;
}

function judgePattern(pattern: string, { path: folder = '' }: FileFacts): Verdict {
  const forms = [folder, sanitizeText(folder)];
  const wildcard = pattern.search(/[*?]/);
  const isOfAllInFolder = wildcard < 0 || pattern.endsWith('*');
  if (isOfAllInFolder && forms.some((form) => matches(pattern, form))) return Verdict.yes;
  if (wildcard < 0) return Verdict.maybe;
  const start = pattern.slice(0, wildcard);
  return forms.some((form) => startAlike(start, form)) ? Verdict.maybe : Verdict.no;
}

function startAlike(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  return a.slice(0, length).toLowerCase() === b.slice(0, length).toLowerCase();
}
