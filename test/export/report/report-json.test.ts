import { describe, expect, it } from 'vitest';
import { reportJson } from '../../../src/export/report/report-json.ts';
import { BARE, FULL, UNKNOWN_IN_FLIGHT } from './fixtures/reports.ts';

describe('report --json', () => {
  it('has the number of aggregated I/Os under its name, and under the earlier one that scripts read', () => {
    expect(JSON.parse(reportJson(FULL))).toMatchObject({
      losses: { aggregated_ios: 1, summarised_ios: 1 },
    });
  });

  it('says where aggregates reach beyond the selected time, as the page does', () => {
    expect(JSON.parse(reportJson(FULL))).toMatchObject({ range_widened: true });
    expect(JSON.parse(reportJson(BARE))).toMatchObject({ range_widened: false });
  });

  it('has null, not a missing field or an empty name, for what is unknown of I/O in flight', () => {
    const { in_flight: rows } = JSON.parse(reportJson(UNKNOWN_IN_FLIGHT)) as {
      in_flight: readonly unknown[];
    };
    expect(rows).toMatchObject([
      { stage: null, pid: null, comm: null, op: null, file: null },
      { pid: 1, comm: null },
    ]);
  });
});
