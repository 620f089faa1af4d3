import { describe, expect, it } from 'vitest';
import { NO_FILTER } from '../../src/filter/filter.ts';
import { createHistory } from '../../src/history/history.ts';
import { MachinePressure } from '../../src/model/machine-pressure.ts';
import { isWithoutDisk } from '../../src/model/stall.ts';
import { Outstanding } from '../../src/monitor/outstanding.ts';
import type { EventSource } from '../../src/trace/event-source.ts';
import { columnsOf, createInfo, SDA } from '../history/fixtures.ts';

const SECOND = 1e9;
/** Share of the time in which tasks waited, and in which the disk was busy. */
const SHARE = 0.36;

/** `seconds` of a trace in which tasks waited as long as the disk was busy. */
function traceOf(seconds: number): Outstanding {
  const info = createInfo();
  const history = createHistory({ info });
  const pressure = new MachinePressure();
  for (let second = 0; second <= seconds; second++) {
    const someNs = SHARE * second * SECOND;
    pressure.put({ atNs: second * SECOND, someNs, fullNs: someNs });
    if (second === 0) continue;
    const deviceNs = SHARE * SECOND;
    history.append(columnsOf([{ completeNs: (second - 0.1) * SECOND, deviceNs }]));
  }
  const source = { info: { ...info, pressure, devices: () => [{ dev: SDA, name: 'sda' }] } };
  return new Outstanding(source as unknown as EventSource, history, () => NO_FILTER);
}

describe('how long tasks waited', () => {
  it.each([
    ['in the first seconds of a trace', 'recent', -2, 3, 3],
    ['where the last column ends after the edge of the picture', 'picture', 0, 6, 4],
  ] as const)(
    'is compared with how busy disks were in the time that was observed, %s',
    (_, scope, from, to, edge) => {
      const range = { scope, startNs: from * SECOND, endNs: to * SECOND, edgeNs: edge * SECOND };
      const stall = traceOf(edge).stall(range)!;
      expect(stall.some).toBeCloseTo(SHARE, 6);
      expect(stall.busiest).toBeCloseTo(SHARE, 6);
      expect(isWithoutDisk(stall)).toBe(false);
    },
  );
});
