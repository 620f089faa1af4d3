import { hasTerm } from '../filter/language/edit.ts';
import type { Filter } from '../filter/filter.ts';
import { TOGGLES } from '../view/keys/toggles.ts';
import type { Toggle } from '../view/keys/toggles.ts';
import { exactLine, lineWidth, span } from './span.ts';
import type { Line } from './span.ts';

/** Full words, short words, and words that begin with their keys. */
const FORMS = 3;
const TITLE = ' only';

interface Menu {
  readonly title: Line;
  readonly entries: readonly { readonly toggle: Toggle; readonly line: Line }[];
}

/** The menu of kinds of I/O on one line of exactly `width` cells, those that are on in brackets. */
export function toggleLine(filter: Filter, width: number): Line {
  return exactLine(wholeLine(fittedMenu(filter, width)), width);
}

/** The kind at cell `x` of that line. */
export function toggleAt(filter: Filter, width: number, x: number): Toggle | undefined {
  const { title, entries } = fittedMenu(filter, width);
  let end = lineWidth(title);
  if (x < end) return undefined;
  return entries.find(({ line }) => {
    end += lineWidth(line);
    return x < end;
  })?.toggle;
}

function fittedMenu(filter: Filter, width: number): Menu {
  for (let form = 0; form < FORMS - 1; form++) {
    const menu = menuOf(filter, form);
    if (lineWidth(wholeLine(menu)) <= width) return menu;
  }
  return menuOf(filter, FORMS - 1);
}

function wholeLine({ title, entries }: Menu): Line {
  return [...title, ...entries.flatMap(({ line }) => line)];
}

function menuOf(filter: Filter, form: number): Menu {
  const title = form < FORMS - 1 ? [span(`${TITLE} `, 'dim')] : [];
  const entries = TOGGLES.map((toggle) => ({
    toggle,
    line: entryOf(toggle, form, hasTerm(filter, toggle.asks)),
  }));
  return { title, entries };
}

function entryOf(toggle: Toggle, form: number, isOn: boolean): Line {
  const { key, names } = toggle;
  if (form === FORMS - 1) return briefEntry(toggle, isOn);
  const text = `${key} ${names[form]!}`;
  if (isOn) return [span(`[${text}]`, 'selected')];
  return [span(' '), span(key, 'accent'), span(`${text.slice(key.length)} `)];
}

/** Too narrow for brackets: capitals say that it is on where there are no colours. */
function briefEntry({ key, names }: Toggle, isOn: boolean): Line {
  const name = names[FORMS - 1]!;
  if (isOn) return [span(' '), span(name.toUpperCase(), 'selected')];
  return [span(' '), span(key, 'accent'), span(name.slice(key.length))];
}
