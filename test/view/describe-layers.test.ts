import { describe, expect, it } from 'vitest';
import { DEFAULT_VIEW } from '../../src/view/state.ts';
import {
  describeMetric,
  describeOutlierCut,
  describeWeight,
  metricSpan,
  metricSpanForms,
} from '../../src/view/describe.ts';

describe('what the view is of', () => {
  it.each([
    ['disks', 'bytes per I/O', 'each I/O counts the time it waited, queue and device'],
    ['waits', 'bytes per wait', 'each wait counts the time it took'],
    ['calls', 'bytes per call', 'each call counts the time it took'],
  ] as const)('what the view is of is named after the layer: %s', (layer, size, weight) => {
    const view = { ...DEFAULT_VIEW, layer, metric: 'size', weight: 'time' } as const;
    expect(metricSpan(view)).toBe(size);
    expect(describeWeight(view)).toBe(weight);
    expect(describeOutlierCut({ ...view, outlierCut: 0 })).toBe(
      `the axis fits every ${size.replace('bytes per ', '')}`,
    );
  });

  it('the outliers of latencies are the slowest I/Os, those of sizes the largest', () => {
    const cut = { ...DEFAULT_VIEW, outlierCut: 0.01 } as const;
    expect(describeOutlierCut(cut)).toBe('axis without the slowest 1%; see the outlier row');
    expect(describeOutlierCut({ ...cut, metric: 'size' })).toBe(
      'axis without the largest 1%; see the outlier row',
    );
  });

  it('the notice about offsets in files says how to see one file, within what 80 columns leave', () => {
    const notice = describeMetric({ ...DEFAULT_VIEW, metric: 'file-offset' });
    expect(notice).toBe('offset in each file; file=PATH shows one');
    expect(notice.length).toBeLessThanOrEqual(40);
  });

  it('has a short form of the span, for a header without room for the long one', () => {
    const of = (layer: 'waits' | 'calls') => metricSpanForms({ metric: 'total', layer });
    expect(of('waits')).toEqual(['from sleep to running again', 'sleep to running']);
    expect(of('calls')).toEqual(['from entry to return of the call', 'entry to return']);
  });
});
