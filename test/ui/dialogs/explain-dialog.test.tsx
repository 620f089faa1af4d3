import { describe, expect, test } from 'vitest';
import type { ExplainedIo } from '../../../src/query/box/explained-io.ts';
import type { SingleIo } from '../../../src/query/slowest/single-io.ts';
import { ExplainDialog } from '../../../src/ui/dialogs/explain-dialog.tsx';
import { explainRoom } from '../../../src/ui/dialogs/list-window.ts';
import { shownLines } from '../fixtures/shown-dialog.tsx';

const CLOCK = { monotonicNs: 0n, wallNs: 1_769_869_331_000_000_000n };

const WRITE: SingleIo = {
  ...{ completeNs: 1.234e9, tgid: 892, tid: 893, comm: 'mysqld' },
  ...{ cgroup: undefined, cgroupName: undefined, indirect: false, dev: 1, disk: 'sda' },
  ...{ opClass: 'write', flags: '', sector: 8, bytes: 4096, error: undefined },
  ...{ queueNs: 3e6, deviceNs: 20e6, totalNs: 23e6, file: undefined, hasOtherFiles: false },
};
const FSYNC: SingleIo = {
  ...WRITE,
  ...{ opClass: 'flush', call: 'fsync', bytes: 0, sector: undefined, file: '/srv/db/wal' },
  ...{ queueNs: undefined, deviceNs: undefined, totalNs: 32e6, result: 0, inode: 12 },
};
const part = { stage: 'data', io: WRITE, afterNs: 2e6, share: 0.72 } as const;
const CALL: ExplainedIo = {
  io: FSYNC,
  waitedFor: {
    ...{ io: FSYNC, totalNs: 32e6, deviceNs: 20e6, queueNs: 3e6, throttledNs: 0, outsideNs: 9e6 },
    ...{ parts: [part], untimed: 0, isComplete: true },
  },
};

function lines(explained: ExplainedIo | undefined, width = 120, height = 14, top = 0): string[] {
  const layer = explained?.io === WRITE ? 'disks' : 'calls';
  const element = <ExplainDialog clockBase={CLOCK} {...{ explained, layer, top, width, height }} />;
  return shownLines(element, width);
}

describe('an explained row of the list of single I/Os', () => {
  test('an explained call shows the call itself, how its time adds up, and the I/O that it waited for', () => {
    const shown = lines(CALL);
    expect(shown[0]).toContain('fsync of mysqld');
    expect(shown[2]).toMatch(/893 +mysqld +fsync +\/srv\/db\/wal .* 32ms/);
    const text = shown.join('\n');
    expect(text).toContain(
      'fsync of mysqld: 32ms = 20ms device + 3ms queue + 9ms outside the block',
    );
    expect(text).not.toContain('slowest');
    expect(text).toMatch(/ 2ms +data +sda +mysqld .* 3ms +20ms +72%/);
    expect(text).toContain('Esc: back to the list');
  });

  test('an explained call has no fractions of a nanosecond, which are left by rounding', () => {
    const waitedFor = { ...CALL.waitedFor!, queueNs: 0.5, outsideNs: 11_999_999.5 };
    expect(lines({ ...CALL, waitedFor }).join('\n')).toContain('20ms device + 0 queue + 12ms');
  });

  test('a flush has no size', () => {
    const flush = { ...WRITE, opClass: 'flush', bytes: 0 } as const;
    const shown = lines({ io: flush, waitedFor: undefined }).join('\n');
    expect(shown).toMatch(/ flush /);
    expect(shown).not.toMatch(/ 0 ?B /);
    expect(lines({ io: { ...WRITE, bytes: 0 }, waitedFor: undefined }).join('\n')).toMatch(
      / 0 ?B /,
    );
  });

  test('an explained I/O has the time in the queue and at the device', () => {
    expect(lines({ io: WRITE, waitedFor: undefined }).join('\n')).toContain(
      '23ms = 3ms queue + 20ms device',
    );
  });

  test('an explained I/O of a log with total latencies alone has no parts', () => {
    const io = { ...WRITE, queueNs: undefined, deviceNs: undefined };
    const explained = { io, waitedFor: undefined };
    const size = { top: 0, width: 120, height: 14 };
    const element = (
      <ExplainDialog
        {...{ explained, clockBase: CLOCK, layer: 'disks', traceLatency: 'total', ...size }}
      />
    );
    expect(shownLines(element, 120).join('\n')).toContain(
      'it took 23ms; the log does not divide it into queue and device',
    );
  });

  test('an explained row of the list of single I/Os scrolls to the last part', () => {
    const parts = Array.from({ length: 30 }, (_, i) => ({ ...part, afterNs: (i + 1) * 1e6 }));
    const long = { ...CALL, waitedFor: { ...CALL.waitedFor!, parts } };
    const shown = lines(long, 120, 14, 30 - explainRoom(14)).join('\n');
    expect(shown).toMatch(/ 30ms +data /);
    expect(shown).toContain('of 30');
  });

  test.each([
    [80, 24],
    [40, 9],
  ])(
    'an explained row of the list of single I/Os fits into %i columns and %i lines',
    (width, height) => {
      const shown = lines(CALL, width, height);
      expect(shown.length).toBeLessThanOrEqual(height);
      expect(shown.every((line) => line.length <= width)).toBe(true);
      expect(shown.join('\n')).toContain('fsync');
    },
  );

  test('an explained row of the list of single I/Os says when it is no longer known', () => {
    expect(lines(undefined).join('\n')).toContain('no longer known');
  });
});
