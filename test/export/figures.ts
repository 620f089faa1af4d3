import { createFigure } from '../../src/export/picture/figure.ts';
import type { Figure, FigureFacts, FigureSpec } from '../../src/export/picture/figure.ts';
import { createHistory } from '../../src/history/history.ts';
import type { History } from '../../src/history/history.ts';
import { compileFilter } from '../../src/filter/match/match.ts';
import { parseFilter } from '../../src/filter/language/parse.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import type { SourceInfo } from '../../src/trace/event-source.ts';
import type { PatternName } from '../../src/trace/synthetic/patterns.ts';
import { createSyntheticSource } from '../../src/trace/synthetic/synthetic-source.ts';
import { must } from '../must.ts';

/** 2023-11-14 22:13:20 UTC. */
const CLOCK = { monotonicNs: 0n, wallNs: 1_700_000_000_000_000_000n };

export const SPEC: FigureSpec = {
  metric: 'device',
  scale: 'log',
  weight: 'count',
  outlierCut: 0.001,
  palette: 'spectrum',
  columnNs: 1e9,
  columns: 120,
  bins: 60,
  lastNs: 120e9 - 1,
};

export const FACTS: FigureFacts = {
  host: 'db1',
  kernel: '6.1.0-test',
  writer: 'ioheat test',
  clockBase: CLOCK,
  hasWallClock: true,
  recordedOnly: '',
  warnings: [],
  notes: [],
};

export interface Traced {
  readonly history: History;
  readonly info: SourceInfo;
}

/** A seeded pattern from its beginning until a trace time. */
export function tracedPattern(pattern: PatternName, untilNs: number, rate?: number): Traced {
  const clock = { nowNs: () => untilNs };
  const options = { pattern, seed: 7, clock, identities: new IdentityTable(), clockBase: CLOCK };
  const source = createSyntheticSource({ ...options, ...(rate !== undefined && { rate }) });
  const history = createHistory({ info: source.info });
  for (let rows = source.read(); rows.length > 0; rows = source.read()) history.append(rows);
  return { history, info: source.info };
}

export function figureOf(
  { history, info }: Traced,
  changes: Partial<FigureSpec> = {},
  facts: Partial<FigureFacts> = {},
  filterText = '',
): Figure {
  const filter = must(parseFilter(filterText));
  const compiled = compileFilter(filter, info.identities, info);
  return createFigure(history, info, compiled, { ...SPEC, ...changes }, { ...FACTS, ...facts });
}
