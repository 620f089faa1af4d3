import { describe, expect, it } from 'vitest';
import type { DeviceInfo } from '../../../src/model/device.ts';
import { reportText } from '../../../src/export/report/report-text.ts';
import type { GroupFigures, Latencies, Report } from '../../../src/export/report/report.ts';
import type { TraceHeader } from '../../../src/trace/trace-reader.ts';
import { HEADER } from '../../trace/recording/fixtures/record.ts';

const LATENCIES: Latencies = { p50Ns: 1e6, p90Ns: 2e6, p99Ns: 3e6, p999Ns: 4e6, maxNs: 5e6 };

const FIGURES: GroupFigures = {
  ...{ count: 80, margin: undefined, counts: undefined, perSecond: 8, errors: 0, waitShare: 1 },
  least: { bytes: false, divided: false, errors: false },
  ...{ readBytes: 4e6, writtenBytes: 0, movedBytes: 4e6, bytesPerSecond: 4e5 },
  ...{ queue: LATENCIES, device: LATENCIES, total: LATENCIES },
};

function page(
  total: Partial<GroupFigures>,
  device?: Partial<DeviceInfo>,
  latency?: Pick<TraceHeader, 'latency'>,
): string {
  const disk: DeviceInfo = { dev: 1, name: 'sda', ...device };
  const report: Report = {
    ...{
      files: ['io.ioheat'],
      header: { ...HEADER, ...latency, kind: 'recording' },
      filter: '',
      layer: 'disks',
      otherLayers: [],
    },
    ...{ startNs: 0, endNs: 10e9, devices: [disk], total: { ...FIGURES, ...total } },
    ...{
      disks: [{ ...FIGURES, disk: 'sda' }],
      processes: [],
      cgroups: [],
      slowest: [],
      errors: [],
    },
    ...{
      rates: { spanNs: 10e9, isRecorded: true, isWidened: false },
      undecided: 0,
      counters: undefined,
      lostOn: [],
    },
    counted: { aggregated: [], isPart: false },
    ...{ inFlight: undefined, stalled: undefined, gaps: [], notes: [], problems: [] },
  };
  return reportText(report);
}

describe('the page of a report', () => {
  it('a disk without an I/O scheduler is described in words, not as none', () => {
    expect(page({}, { rotational: false, scheduler: 'none' })).toMatch(
      /solid state, no scheduler$/m,
    );
    expect(page({}, { rotational: true, scheduler: 'mq-deadline' })).toMatch(
      /rotating, mq-deadline$/m,
    );
  });

  it('queue and device latency are only in the report of a trace that has them', () => {
    expect(page({})).toMatch(/^device /m);
    expect(page({})).toContain('Queue p50');
    const ofTotal = page({}, {}, { latency: 'total' });
    expect(ofTotal).not.toMatch(/^(?:queue|device) |Queue|Device/m);
    expect(ofTotal).toMatch(/^total +1ms +2ms/m);
  });

  it('bytes per second are in the first line of figures only where sizes are known', () => {
    expect(page({})).toMatch(/^80 I\/Os: 8\/s, 400 kB\/s$/m);
    const bytes = { movedBytes: undefined, bytesPerSecond: undefined };
    expect(page(bytes)).toMatch(/^80 I\/Os: 8\/s$/m);
    expect(page(bytes)).toContain('bytes read and written unknown');
  });
});
