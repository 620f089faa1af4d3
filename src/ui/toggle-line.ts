import { hasTerm } from '../model/filter-edit.ts';
import type { FLAG_BITS } from '../model/filter-fields.ts';
import { term } from '../model/filter.ts';
import type { Filter, Term } from '../model/filter.ts';
import type { OpClass } from '../model/operation.ts';
import { exactLine, lineWidth, span } from './span.ts';
import type { Line } from './span.ts';

/** One key of the menu and the condition that it switches. */
interface Toggle {
  readonly key: string;
  /** The same word ever shorter; the shortest is none at all. */
  readonly names: readonly [string, string];
  readonly asks: Term;
}

function operation(key: string, name: OpClass): Toggle {
  return { key, names: [name, name], asks: term('op', '=', name) };
}

function flag(key: string, flagName: keyof typeof FLAG_BITS, names: Toggle['names']): Toggle {
  return { key, names, asks: term('flag', '=', flagName) };
}

const TOGGLES: readonly Toggle[] = [
  operation('r', 'read'),
  operation('w', 'write'),
  operation('f', 'flush'),
  operation('d', 'discard'),
  flag('s', 'sync', ['sync', 'sync']),
  flag('m', 'meta', ['metadata', 'meta']),
  flag('a', 'readahead', ['read-ahead', 'ahead']),
  { key: 'e', names: ['errors', 'errors'], asks: term('error', '=', 'any') },
];

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
