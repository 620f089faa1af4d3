import { NS_PER_SECOND } from '../../../src/base/time.ts';
import { inspectBox } from '../fixtures/at-once.ts';
import type { BoxOptions } from '../../../src/query/box/box-report.ts';
import { createHistory } from '../../../src/history/history.ts';
import type { History, HistoryOptions } from '../../../src/history/history.ts';
import type { HistoryInfo } from '../../../src/history/slices/identity-facts.ts';
import type { Box } from '../../../src/filter/box.ts';
import type { BoxReport } from '../../../src/query/box/drill-down.ts';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import type { IdentityNames } from '../../../src/model/identity-names.ts';
import type { Identity } from '../../../src/model/identity.ts';
import { parsed } from '../../filter/fixtures.ts';
import { createInfo } from '../../history/fixtures.ts';
import type { Row } from '../../history/fixtures.ts';

const EVERYTHING: Box = {
  metric: 'total',
  startNs: 0,
  endNs: 10 * NS_PER_SECOND,
  low: 0,
  high: Infinity,
};

export interface BoxBench {
  readonly info: HistoryInfo;
  readonly history: History;
  /** The report on a box that is everything, but for these changes. */
  readonly inspect: (
    box: Partial<Box>,
    options?: BoxOptions & { readonly filter?: string },
  ) => BoxReport;
}

export function createBoxBench(
  keys: readonly Identity[],
  options: Partial<HistoryOptions> & Pick<IdentityNames, 'cgroups'> = {},
): BoxBench {
  const { cgroups, ...kept } = options;
  const info = { ...createInfo(keys), ...(cgroups && { cgroups }) };
  const history = createHistory({ info, budgetBytes: 2 ** 24, ...kept });
  const inspect: BoxBench['inspect'] = (box, more = {}) => {
    const { filter: text, ...rest } = more;
    const filter = compileFilter(
      text === undefined ? NO_FILTER : parsed(text),
      info.identities,
      info,
    );
    return inspectBox(history, { ...EVERYTHING, ...box }, filter, info, rest);
  };
  return { info, history, inspect };
}

export function rowOf(changes: Partial<Row>): Row {
  return {
    completeNs: 0,
    deviceNs: 1_000,
    queueNs: 100,
    sector: 0,
    bytes: 4096,
    key: 0,
    ...changes,
  };
}
