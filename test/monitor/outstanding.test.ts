import { describe, expect, it } from 'vitest';
import { NO_FILTER } from '../../src/filter/filter.ts';
import { createHistory } from '../../src/history/history.ts';
import { InFlightBook } from '../../src/model/in-flight-book.ts';
import { MachinePressure } from '../../src/model/machine-pressure.ts';
import { isWithoutDisk } from '../../src/model/stall.ts';
import { Outstanding } from '../../src/monitor/outstanding.ts';
import type { EventSource } from '../../src/trace/event-source.ts';
import { columnsOf, createInfo, keyOf, SDA } from '../history/fixtures.ts';

const SECOND = 1e9;
/** Share of the time in which tasks waited, and in which the disk was busy. */
const SHARE = 0.36;

/** `seconds` of a trace in which tasks waited as long as the disk was busy. */
function traceOf(seconds: number, inFlight?: InFlightBook): Outstanding {
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
  const source = {
    info: { ...info, inFlight, pressure, devices: () => [{ dev: SDA, name: 'sda' }] },
  };
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

  it('is not held against the disks while one of them holds I/O back', () => {
    const book = new InFlightBook();
    const unknown = { bytes: undefined, sector: undefined, file: undefined, fileOffset: undefined };
    const span = { number: 1, sinceNs: 0, issueNs: 0, identity: keyOf(), ...unknown };
    const range = { scope: 'recent', startNs: 0, endNs: 3 * SECOND } as const;
    const untilNs = [2 * SECOND, 4 * SECOND];
    const [ended, held] = untilNs.map((ns) => {
      book.put({ ...span, untilNs: ns });
      return traceOf(3, book).stall(range)!;
    });
    expect(ended!.busiest).toBeCloseTo(SHARE, 6);
    expect(held).toMatchObject({ busiest: undefined, allBusy: undefined });
    expect(isWithoutDisk(held!)).toBe(false);
  });
});
