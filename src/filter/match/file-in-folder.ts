import { sanitizeText } from '../../base/sanitize.ts';
import { fileText, otherFilesOf } from '../../model/file.ts';
import type { FileFacts } from '../../model/file.ts';
import type { Term } from '../filter.ts';
import { either, opposite, Verdict } from '../verdict.ts';
import { matches } from './identity-facts.ts';

/** What a condition on the path says of files of which only the folder is known. */
export function judgeFileInFolder({ operator, values }: Term, others: FileFacts): Verdict {
  const judge = operator.endsWith('~') ? judgePattern : judgePath;
  const verdict = values.map((value) => judge(String(value), others)).reduce(either, Verdict.no);
  return operator.startsWith('!') ? opposite(verdict) : verdict;
}

function judgePath(path: string, others: FileFacts): Verdict {
  if (path === fileText(others)) return Verdict.yes;
  return otherFilesOf({ ...others, path })?.path === others.path ? Verdict.maybe : Verdict.no;
}

function judgePattern(pattern: string, { path = '' }: FileFacts): Verdict {
  const forms = [path, sanitizeText(path)];
  const start = pattern.split(/[*?]/, 1)[0]!;
  const isPart = start === pattern;
  if ((isPart || pattern.endsWith('*')) && forms.some((folder) => matches(pattern, folder)))
    return Verdict.yes;
  const canStart = (folder: string): boolean =>
    matches(`${start}*`, folder) || matches(`${folder}*`, start);
  return isPart || forms.some(canStart) ? Verdict.maybe : Verdict.no;
}
