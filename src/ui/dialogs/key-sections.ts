import { keysText } from '../../view/keys/key-caps.ts';
import { KEY_GROUPS } from '../../view/keys/key-table.ts';
import type { KeyBinding } from '../../view/keys/key-table.ts';
import { MODES } from '../../view/state.ts';
import type { Mode } from '../../view/state.ts';
import type { HelpEntry, HelpSection } from './help-section.ts';

const MODE_TITLES: Record<Exclude<Mode, 'main'>, string> = {
  cursor: 'With the cross-hair',
  drillDown: 'In the drill-down',
  pick: 'In a list of processes or disks',
  toggles: 'In the menu of kinds',
  filter: 'While typing a filter',
  goto: 'While typing a time',
  trend: 'In the charts',
  columns: 'In the list of columns',
  card: 'On a card',
  actions: 'In the list of all actions',
  inFlight: 'In the list of I/Os in flight',
  singles: 'In the list of single I/Os',
  explain: 'Where the time of one of them went',
  find: 'While searching rows',
  export: 'While naming an export',
  record: 'While naming a recording',
  save: 'While naming a saved file',
  note: 'While typing a note',
  help: 'In this help',
};

export interface KeySections {
  /** The keys of the mode that the help is for, then those of the main screen. */
  readonly here: readonly HelpSection[];
  readonly elsewhere: readonly HelpSection[];
}

/** The keys of the main screen are in groups, in the order of the key table. Those of other modes come last. */
export function keySections(bindings: readonly KeyBinding[], helpFor: Mode = 'main'): KeySections {
  const main = bindings.filter(({ modes }) => modes.includes('main'));
  const groups: HelpSection[] = KEY_GROUPS.map((group) => ({
    title: group,
    entries: main.filter((binding) => binding.group === group).map(toEntry),
  }));
  const others = MODES.filter((mode) => mode !== 'main' && mode !== 'help' && mode !== helpFor);
  const own = modeSections(bindings, helpFor === 'help' ? [] : [helpFor]);
  return {
    here: [...own, ...groups].filter(hasEntries),
    elsewhere: modeSections(bindings, [...others, 'help']).filter(hasEntries),
  };
}

function hasEntries({ entries }: HelpSection): boolean {
  return entries.length > 0;
}

/** Keys that work everywhere are listed once, with the main screen. */
function modeSections(bindings: readonly KeyBinding[], modes: readonly Mode[]): HelpSection[] {
  return modes.flatMap((mode) => {
    if (mode === 'main') return [];
    const own = bindings.filter(
      (binding) => binding.modes.includes(mode) && binding.modes.length < MODES.length,
    );
    return [{ title: MODE_TITLES[mode], entries: own.map(toEntry) }];
  });
}

function toEntry({ keys, description }: KeyBinding): HelpEntry {
  return { term: keysText(keys), text: description };
}
