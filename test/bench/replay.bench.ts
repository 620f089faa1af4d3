import { expect, test } from 'vitest';
import { NO_FILTER } from '../../src/model/filter.ts';
import { KeyTable } from '../../src/model/key-table.ts';
import { Monitor } from '../../src/monitor/monitor.ts';
import { openRecording } from '../../src/recording/open-recording.ts';
import { MAX_SPEED, ReplayClock } from '../../src/replay/replay-clock.ts';
import { ReplaySource } from '../../src/replay/replay-source.ts';
import { Transport } from '../../src/replay/transport.ts';
import { RecordingFolder } from '../replay/recording-file.ts';

const PICTURE = {
  metric: 'device',
  scale: 'log',
  outlierCut: 0.001,
  columnNs: 1e9,
  columns: 107,
  bins: 36,
} as const;

const SECONDS = 50;
const FRAME_EVERY_MS = 100;
const WINDOW_NS = 107e9;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** What reading alone costs: the part that no history and no picture has to do with. */
function readAlone(path: string): number {
  const keys = new KeyTable();
  const reader = openRecording(path, keys);
  if (!reader.ok) throw new Error(reader.error.what);
  const begunMs = performance.now();
  let rows = 0;
  for (let chunk = reader.value.next(); typeof chunk === 'object'; chunk = reader.value.next())
    rows += chunk.rows.length;
  reader.value.dispose();
  return rows / (performance.now() - begunMs);
}

/** As the program does it at maximum speed: all there is, with ten pictures a second. */
function replay(path: string): { perMs: number; firstMs: number; rows: number } {
  const keys = new KeyTable();
  const begunMs = performance.now();
  const reader = openRecording(path, keys);
  if (!reader.ok) throw new Error(reader.error.what);
  const clock = new ReplayClock(() => performance.now() * 1e6);
  const traces = [{ name: path, reader: reader.value, keys }];
  const source = new ReplaySource(traces, clock, { keys, oneHost: false });
  const transport = new Transport(clock, source);
  const monitor = new Monitor({ source, historyBytes: 256 * 2 ** 20, filter: NO_FILTER });
  clock.setSpeed(MAX_SPEED);
  transport.clock.play();
  let [firstMs, shownMs] = [0, -Infinity];
  while (!source.isEnded) {
    monitor.pump();
    transport.step();
    if (performance.now() - shownMs < FRAME_EVERY_MS) continue;
    monitor.show(PICTURE, clock.nowNs());
    shownMs = performance.now();
    if (firstMs === 0) firstMs = shownMs - begunMs;
  }
  const { delivered } = source.counters();
  const perMs = delivered / (performance.now() - begunMs);
  expect(monitor.show(PICTURE, WINDOW_NS).map.columns).toBe(PICTURE.columns);
  source.dispose();
  return { perMs, firstMs, rows: delivered };
}

test('a recording of ten million I/Os', async () => {
  const folder = new RecordingFolder();
  try {
    const path = await folder.add('storm.ioheat', { name: 'storm', seconds: SECONDS });
    for (let round = 1; round <= 3; round++) {
      const alone = readAlone(path);
      const { perMs, firstMs, rows } = replay(path);
      say(
        `${(rows / 1e6).toFixed(1)} M I/Os: read ${(alone / 1e3).toFixed(1)} M/s, ` +
          `replayed ${(perMs / 1e3).toFixed(1)} M/s, first picture ${firstMs.toFixed(0)} ms`,
      );
      expect(rows).toBeGreaterThan(9e6);
    }
  } finally {
    folder.remove();
  }
});
