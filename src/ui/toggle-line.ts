import { hasTerm } from '../model/filter-edit.ts';
import type { Filter } from '../model/filter.ts';
import { TOGGLES } from '../view/toggles.ts';
import { exactLine, lineWidth, span } from './span.ts';
import type { Line } from './span.ts';

/** Full words, short words, keys alone. */
const FORMS = 3;
const TITLE = ' only';

/** The menu of kinds of I/O on one line of exactly `width` cells, those that are on in brackets. */
export function toggleLine(filter: Filter, width: number): Line {
  let line: Line = [];
  for (let form = 0; form < FORMS; form++) {
    line = menu(filter, form);
    if (lineWidth(line) <= width) break;
  }
  return exactLine(line, width);
}

function menu(filter: Filter, form: number): Line {
  const title = form < 2 ? [span(`${TITLE} `, 'dim')] : [];
  return [
    ...title,
    ...TOGGLES.flatMap(({ key, names, asks }) => {
      const name = names[form];
      const text = name === undefined ? key : `${key} ${name}`;
      if (hasTerm(filter, asks)) return [span(`[${text}]`, 'selected')];
      return [span(' '), span(key, 'accent'), span(`${text.slice(key.length)} `)];
    }),
  ];
}
