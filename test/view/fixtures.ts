import type { Box } from '../../src/filter/box.ts';
import { term } from '../../src/filter/filter.ts';
import type { Term } from '../../src/filter/filter.ts';
import type { Burst } from '../../src/model/bursts.ts';
import type { Action, ActionOf } from '../../src/view/action.ts';
import type { Computation, Effect } from '../../src/view/effect.ts';
import type { Facts, TableRows } from '../../src/view/facts.ts';
import { matchingActions } from '../../src/view/keys/action-list.ts';
import { DEFAULT_VIEW, selectionOf } from '../../src/view/state.ts';
import type {
  MapCell,
  OpenCard,
  PointedCell,
  SelectedRow,
  Slowest,
  ViewState,
} from '../../src/view/state.ts';
import { ViewStore } from '../../src/view/reduce/store.ts';

/** What surrounds a reducer: the facts, and the answers to what it asks. */
export interface World extends Facts {
  readonly pickIds: readonly string[];
  readonly rowTerms: readonly Term[] | undefined;
  readonly card: OpenCard | undefined;
  readonly notable: { readonly cell: MapCell | undefined; readonly isPartial: boolean };
  readonly slowest: Slowest | 'searching' | undefined;
  readonly bursts: readonly Burst[] | 'searching';
  readonly topBin: number;
  readonly noteText: string;
  readonly note: ActionOf<'noteFound'>['found'];
  place(view: ViewState, slowest: Slowest): MapCell | 'counting' | undefined;
  fullestBin(column: number): number;
  fullerBin(at: PointedCell): number;
  /** Places of the rows that match. */
  findRows(text: string): readonly number[];
  /** The row at each place of the table; in the default, `row 0`, `row 1` and so on. */
  readonly rowIds?: readonly string[];
  boxOf(a: MapCell, b: MapCell): Box;
}

/** The row that is at this place in the default world. */
export function rowAt(place: number): SelectedRow {
  return { id: `row ${place}`, place };
}

function tableOf({ list, rowIds }: World, state: ViewState): TableRows {
  const selected = selectionOf(state);
  if (rowIds === undefined) return { length: list.rows, selected: selected?.place, rowAt };
  const place = selected === undefined ? -1 : rowIds.indexOf(selected.id);
  return {
    length: rowIds.length,
    selected: place < 0 ? undefined : place,
    rowAt: (at) => ({ id: rowIds[at]!, place: at }),
  };
}

const NOW = Date.UTC(2026, 2, 10, 14, 30, 0);

/** A picture of 100 columns and 40 bins, a list of 30 rows. */
export const WORLD: World = {
  nowNs: 1000e9,
  startNs: 10e9,
  realMs: 7e6,
  wallNowMs: NOW,
  layers: ['disks'],
  columns: 100,
  bins: 40,
  stackLacks: () => 0,
  list: { rows: 30, height: 10 },
  table: { length: 30, selected: undefined, rowAt },
  pickIds: ['892', '1204', '77'],
  rowTerms: [term('pid', '=', 892), term('disk', '=', 'sda')],
  card: { title: 'mysqld (892)', facts: {}, terms: [term('pid', '=', 892)] },
  notable: { cell: { column: 87, bin: 20 }, isPartial: false },
  slowest: { atNs: 400e9, withinNs: 0, latencyNs: 3e9 },
  bursts: [],
  topBin: 12,
  noteText: '',
  note: { atNs: 400.5e9, place: 2, count: 3 },
  place: ({ frozenAtNs, intervalNs }, { atNs }) => ({
    column: 99 - Math.floor(((frozenAtNs ?? 1000e9) - atNs) / intervalNs),
    bin: 40,
  }),
  fullestBin: (column) => column % 12,
  fullerBin: ({ highBin }) => highBin,
  findRows: (text) => (text === 'sql' ? [3, 7] : []),
  boxOf: (a, b) => ({
    metric: 'device',
    startNs: Math.min(a.column, b.column) * 1e9,
    endNs: (Math.max(a.column, b.column) + 1) * 1e9,
    low: Math.min(a.bin, b.bin),
    high: Math.max(a.bin, b.bin) === 40 ? Infinity : Math.max(a.bin, b.bin) + 1,
  }),
};

/** A view in that world; `effects` are those that are no questions. */
export class ViewOf {
  readonly effects: Effect[] = [];
  private readonly store: ViewStore;

  constructor(
    view: ViewState = DEFAULT_VIEW,
    public world: World = WORLD,
  ) {
    this.store = new ViewStore(view, {
      facts: () => ({ ...this.world, table: tableOf(this.world, this.state) }),
      perform: (effect, state) => {
        if (effect.type !== 'run') return answer(this.world, effect, state);
        this.effects.push(effect);
        return undefined;
      },
      changed: () => [],
    });
  }

  get state(): ViewState {
    return this.store.state;
  }

  do(...actions: readonly Action[]): this {
    for (const action of actions) this.store.dispatch(action);
    return this;
  }
}

/** The view after some actions. */
export function viewAfter(
  actions: readonly Action[],
  { from = DEFAULT_VIEW, world = {} }: { from?: ViewState; world?: Partial<World> } = {},
): ViewState {
  return new ViewOf(from, { ...WORLD, ...world }).do(...actions).state;
}

function answer(world: World, question: Computation, view: ViewState): Action | undefined {
  switch (question.type) {
    case 'findNotableCell':
      return { type: 'notableCell', ...world.notable };
    case 'findSlowest':
      return { type: 'slowestFound', slowest: world.slowest };
    case 'readNote':
      return { type: 'noteRead', atNs: question.fromNs, text: world.noteText };
    case 'findNote':
      return { type: 'noteFound', found: world.note };
    case 'findAction':
      return matchingActions(question.mode, question.text)[question.row]?.action;
    case 'findBursts':
      return { type: 'burstsFound', bursts: world.bursts };
    case 'placeSlowest':
      return { type: 'slowestPlaced', cell: world.place(view, question.slowest) };
    case 'findFullestBin':
      return { type: 'binFound', bin: world.fullestBin(question.column) };
    case 'findFullerBin':
      return { type: 'binFound', bin: world.fullerBin(question.at) };
    case 'findTopBin':
      return { type: 'binFound', bin: world.topBin };
    case 'readBox':
      return { type: 'boxRead', box: world.boxOf(question.a, question.b), why: question.why };
    case 'findRows':
      return {
        type: 'rowsFound',
        rows: world.findRows(question.text).map(rowAt),
        why: question.why,
      };
    case 'completeFilter':
      return question.line.text.endsWith('op=w')
        ? { type: 'completed', from: 3, text: 'write' }
        : undefined;
    case 'readRow':
      return { type: 'rowRead', terms: world.rowTerms, why: question.why };
    case 'readCard':
      return { type: 'cardRead', card: world.card };
    case 'readEntries':
      return { type: 'entriesRead', entries: world.pickIds.map((id) => ({ id, label: id })) };
    case 'readEntry':
      return {
        type: 'entryRead',
        id: world.pickIds[question.row],
        matches: world.pickIds,
        why: question.why,
      };
  }
}
