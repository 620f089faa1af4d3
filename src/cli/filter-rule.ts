import { err } from '../base/result.ts';
import { parseFilter } from '../filter/language/parse.ts';
import type { Filter } from '../filter/filter.ts';
import { quoted } from '../base/quote.ts';
import type { ValueRule } from './option-rules.ts';

/** An empty filter matches everything, so that a script can leave it empty. */
export const FILTER: ValueRule<Filter> = {
  allowed: 'a filter such as "disk=sda lat>10ms"',
  parse: (word) => {
    const filter = parseFilter(word);
    if (filter.ok) return filter;
    const { column, message } = filter.error;
    const place = column < word.length ? `at ${quoted(word.slice(column))}` : 'at the end';
    return err(`${place}, ${message}`);
  },
};
