import type { Filter } from '../../filter/filter.ts';
import { hasTerm } from '../../filter/language/edit.ts';
import { TOGGLES } from '../../view/keys/toggles.ts';
import type { Toggle } from '../../view/keys/toggles.ts';

/** The forms are full words, short words, and words that start with their keys. */
const FORMS = 3;
const TITLE = ' only ';

/** One kind of I/O in the menu. */
export interface ToggleEntry {
  readonly toggle: Toggle;
  readonly isOn: boolean;
  /** The text after the key: its word, or the rest of a word that starts with the key. */
  readonly rest: string;
  /** Whether there is room for brackets. Without it and without colours, a word in capitals is on. */
  readonly isFramed: boolean;
  /** In cells, including the brackets or blanks on both sides. */
  readonly width: number;
}

export interface ToggleMenuContent {
  readonly title: string;
  readonly entries: readonly ToggleEntry[];
}

/** The kinds of I/O, in the longest words that fit into `width` cells. */
export function toggleMenu(filter: Filter, width: number): ToggleMenuContent {
  for (let form = 0; form < FORMS - 1; form++) {
    const menu = menuOf(filter, form);
    const wanted = menu.entries.reduce((sum, entry) => sum + entry.width, menu.title.length);
    if (wanted <= width) return menu;
  }
  return menuOf(filter, FORMS - 1);
}

/** The kind at cell `x` of the menu. */
export function toggleAt(filter: Filter, width: number, x: number): Toggle | undefined {
  const { title, entries } = toggleMenu(filter, width);
  let end = title.length;
  if (x < end) return undefined;
  return entries.find((entry) => {
    end += entry.width;
    return x < end;
  })?.toggle;
}

function menuOf(filter: Filter, form: number): ToggleMenuContent {
  const isFramed = form < FORMS - 1;
  const entries = TOGGLES.map((toggle) => {
    const name = toggle.names[form]!;
    const rest = isFramed ? ` ${name}` : name.slice(toggle.key.length);
    const width = toggle.key.length + rest.length + (isFramed ? 2 : 1);
    return { toggle, isOn: hasTerm(filter, toggle.asks), rest, isFramed, width };
  });
  return { title: isFramed ? TITLE : '', entries };
}
