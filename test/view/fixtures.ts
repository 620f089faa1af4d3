import type { ActionContext } from '../../src/view/action.ts';
import { term } from '../../src/filter/filter.ts';

const NOW = Date.UTC(2026, 2, 10, 14, 30, 0);
/** The world of a reducer: a picture of 100 columns and 40 bins, a list of 30 rows. */
export const CONTEXT: ActionContext = {
  nowNs: 1000e9,
  startNs: 10e9,
  wallNowMs: NOW,
  columns: 100,
  bins: 40,
  listRows: 30,
  listHeight: 10,
  pickIds: ['892', '1204', '77'],
  rowTerms: [term('pid', '=', 892), term('disk', '=', 'sda')],
  completion: ({ text }) => (text.endsWith('op=w') ? { from: 3, text: 'write' } : undefined),
  layoutProblem: () => undefined,
  notableCell: () => ({ column: 87, bin: 20 }),
  isCounting: () => false,
  fullerBin: ({ highBin }) => highBin,
  findRows: (text) => (text === 'sql' ? [3, 7] : []),
  worst: () => ({ atNs: 400e9, withinNs: 0, latencyNs: 3e9 }),
  mapOf: () => ({ bins: 12, fullestBin: (column) => column % 12 }),
  cellOfWorst: ({ frozenAtNs, intervalNs }, { atNs }) => ({
    column: 99 - Math.floor(((frozenAtNs ?? 1000e9) - atNs) / intervalNs),
    bin: 40,
  }),
  boxOf: (a, b) => ({
    metric: 'device',
    startNs: Math.min(a.column, b.column) * 1e9,
    endNs: (Math.max(a.column, b.column) + 1) * 1e9,
    low: Math.min(a.bin, b.bin),
    high: Math.max(a.bin, b.bin) === 40 ? Infinity : Math.max(a.bin, b.bin) + 1,
  }),
};
