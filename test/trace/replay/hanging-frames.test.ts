import { describe, expect, it } from 'vitest';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import { IdentityMark } from '../../../src/model/identity.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { inFlightAt, InFlightBook } from '../../../src/model/in-flight-book.ts';
import { HANGING_AFTER_NS } from '../../../src/model/in-flight.ts';
import type { InFlightIo } from '../../../src/model/in-flight.ts';
import { Op } from '../../../src/model/operation.ts';
import { Monitor } from '../../../src/monitor/monitor.ts';
import { END_OF_STREAM } from '../../../src/trace/recording/arrow/arrow-message.ts';
import { RecordingEncoder } from '../../../src/trace/recording/format/recording-encoder.ts';
import { ReplayClock } from '../../../src/trace/replay/replay-clock.ts';
import { ReplaySource } from '../../../src/trace/replay/replay-source.ts';
import { Transport } from '../../../src/trace/replay/transport.ts';
import type { EventSource } from '../../../src/trace/event-source.ts';
import { Screen } from '../../../src/terminal/screen.ts';
import { Dialogs } from '../../../src/ui/dialogs/dialogs.tsx';
import { FramePainter } from '../../../src/ui/frame/frame-painter.ts';
import { Scene } from '../../../src/ui/frame/scene.ts';
import { IN_FLIGHT_COLOR } from '../../../src/ui/picture/mark-pixels.ts';
import { createTheme } from '../../../src/ui/text/theme.ts';
import { KEY_TABLE } from '../../../src/view/keys/key-table.ts';
import { DEFAULT_VIEW } from '../../../src/view/state.ts';
import type { ViewState } from '../../../src/view/state.ts';
import { glyphRows } from '../../ui/cell-text.ts';
import { bytesOf, HEADER, pattern, readerOf } from '../recording/fixtures/record.ts';
import { ManualClock } from './kept-trace.ts';

const SECONDS = 36;
const HANGS_FROM_NS = 10e9;
const HELD_NS = 20.6e9;
/** With room above the slowest I/O, so that what hangs climbs. */
const valueRange = { low: 10e3, high: 100e9 };
const VIEW: ViewState = { ...DEFAULT_VIEW, valueRange, intervalNs: 500e6, fitsInterval: false };
const LOOK = {
  theme: createTheme(2),
  bindings: KEY_TABLE,
  unicode: true,
  color: true,
  depth: '256',
} as const;

/** What hangs on sda: a read of a table, and what a kernel thread writes for a process. */
function hangingAt(nowNs: number, { info }: EventSource): readonly InFlightIo[] {
  if (nowNs < HANGS_FROM_NS || nowNs >= HANGS_FROM_NS + HELD_NS) return [];
  const { dev } = info.devices().find(({ name }) => name === 'sda')!;
  const { files } = info.identities;
  const file = (inode: number, path: string): number =>
    files.intern({ kind: 'file', dev: 1, inode, generation: 0, path });
  const of = (slot: number, more: Partial<InFlightIo>, owner: object): InFlightIo => {
    const sinceNs = HANGS_FROM_NS + slot * 1e6;
    const own = { cmdFlags: Op.read, tgid: 892, tid: 892, comm: 'mysqld', cgroup: 1, error: 0 };
    return {
      ...{ slot, sinceNs, issueNs: sinceNs + 20e3, ageNs: nowNs - sinceNs, stage: 'at the device' },
      identity: { dev, ...own, marks: 0, ...owner },
      ...{ bytes: 16384, sector: 58_593_750 + 32 * slot, fileOffset: 65536 * slot },
      file: file(1, '/var/lib/mysql/shop/orders.ibd'),
      ...more,
    };
  };
  const written = { marks: IdentityMark.indirect, via: 'kworker/u8:3', tgid: 7704, comm: 'rsync' };
  const write = { bytes: 131072, sector: 77_120_000, file: file(2, '/srv/img/0917.jpg') };
  const oldest = [of(0, {}, {}), of(1, {}, {})];
  return [...oldest, of(2, write, { cmdFlags: Op.write, ...written })];
}

/** A live source on which I/O hangs. */
function hangingSource() {
  const { source, moveTo } = pattern('mixed', 1, 300);
  const book = new InFlightBook();
  let nowNs = 0;
  const live: EventSource = {
    info: { ...source.info, inFlight: book },
    read: () => source.read(),
    readSummaries: () => source.readSummaries(),
    counters: () => source.counters(),
    inFlight: (minAgeNs = 0) => hangingAt(nowNs, source).filter(({ ageNs }) => ageNs >= minAgeNs),
    hanging: () => {
      const all = hangingAt(nowNs, source).filter(({ ageNs }) => ageNs >= HANGING_AFTER_NS);
      return all[0] && { count: all.length, ageNs: all[0].ageNs, dev: all[0].identity.dev };
    },
    dispose: () => undefined,
  };
  return {
    live,
    moveTo: (atNs: number) => {
      nowNs = atNs;
      moveTo(atNs);
      if (atNs % 250e6 === 0) book.look(live.inFlight!(1e9), atNs);
    },
  };
}

async function recorded(): Promise<Uint8Array> {
  const { live, moveTo } = hangingSource();
  const { info } = live;
  const encoder = new RecordingEncoder({
    ...{ header: HEADER, identities: info.identities, inFlight: info.inFlight },
    names: { devices: info, cgroups: info.cgroups! },
  });
  const parts = [encoder.begin()];
  for (let step = 1; step <= SECONDS * 4; step++) {
    moveTo(step * 250e6);
    for (let rows = live.read(); rows.length > 0; rows = live.read())
      parts.push(await bytesOf(encoder.append(rows)));
    if (step % 4 === 0) parts.push(await bytesOf(encoder.flush(live.counters())));
  }
  return Buffer.concat([...parts, END_OF_STREAM]);
}

class Program {
  private readonly monitor: Monitor;
  private readonly screen = new Screen(120, 40, { colors: '256', unicode: true });
  private readonly painter: FramePainter;

  constructor(source: EventSource) {
    this.monitor = new Monitor({ source, historyBytes: 16 * 2 ** 20, filter: NO_FILTER });
    const scene = new Scene(this.monitor, LOOK, 120, 40);
    const dialogs = new Dialogs(LOOK);
    this.painter = new FramePainter(scene, this.screen, { recordedOnly: '', dialogs });
  }

  async load(): Promise<void> {
    await this.monitor.outstanding.load();
  }

  pump(): void {
    while (!this.monitor.pump());
  }

  paint(view: ViewState, nowNs: number): Screen['cells'] {
    this.painter.paint(view, nowNs);
    return this.screen.cells;
  }

  dispose(): void {
    this.painter.dispose();
  }
}

/** The text, and where the pixels of I/O in flight are. */
function shown(cells: Screen['cells']): string {
  const { fg, bg, width } = cells;
  const marks = Array.from(fg, (color, at) =>
    color === IN_FLIGHT_COLOR || bg[at] === IN_FLIGHT_COLOR ? [at] : [],
  ).flat();
  const places = marks.map((at) => `column ${at % width}, line ${Math.floor(at / width)}`);
  const rows = glyphRows(cells).map((row) => row.trimEnd());
  return [...rows, `in flight at ${places.join('; ')}`, ''].join('\n');
}

function sameCells(a: Screen['cells'], b: Screen['cells']): boolean {
  const text = ({ glyph, fg, bg, attr }: Screen['cells']): string =>
    [glyph, fg, bg, attr].map((cells) => cells.join()).join(';');
  return text(a) === text(b);
}

describe('I/O that hangs for 20 s, recorded and replayed', () => {
  it('I/O that hangs for 20 s is in the picture of a replay, on the last line and in the list as it was', async () => {
    const bytes = await recorded();
    const direct = hangingSource();
    const identities = new IdentityTable();
    const real = new ManualClock();
    const clock = new ReplayClock(real.nowNs);
    const traces = [{ name: 'hanging', reader: readerOf(bytes, identities), identities }];
    const replay = new ReplaySource(traces, clock, { identities, oneHost: false });
    const transport = new Transport(clock, replay);
    const { kind, host } = direct.live.info;
    const replayed: EventSource = {
      info: {
        ...{ ...replay.info, kind, host },
        get inFlight() {
          return replay.info.inFlight;
        },
      },
      read: () => replay.read(),
      readSummaries: () => replay.readSummaries(),
      counters: () => replay.counters(),
      dispose: () => undefined,
    };
    const [a, b] = [new Program(direct.live), new Program(replayed)];
    await b.load();
    transport.play();
    b.pump();
    transport.step();
    for (let step = 1; step < SECONDS * 4; step++) {
      const nowNs = step * 250e6;
      direct.moveTo(nowNs);
      real.ns = nowNs;
      a.pump();
      b.pump();
      transport.step();
      const before = a.paint(VIEW, nowNs);
      const after = b.paint(VIEW, nowNs);
      expect(sameCells(before, after), `${nowNs / 1e9} s`).toBe(true);
      const heldS = (nowNs - HANGS_FROM_NS) / 1e9;
      if (![1.25, 5, 20].includes(heldS)) continue;
      const list = { ...VIEW, mode: 'inFlight' } as const;
      const screens = [shown(after), shown(b.paint(list, nowNs))].join('\n');
      await expect(screens).toMatchFileSnapshot(
        `../../../snapshots/ui/replay-in-flight-${Math.floor(heldS)}s.txt`,
      );
      b.paint(VIEW, nowNs);
    }
    for (const program of [a, b]) program.dispose();
    replay.dispose();
  });

  it('I/O that hangs for 20 s stands where it was when the replay is paused there', async () => {
    const identities = new IdentityTable();
    const traces = [
      { name: 'hanging', reader: readerOf(await recorded(), identities), identities },
    ];
    const whole = { untilNs: () => Infinity };
    const replay = new ReplaySource(traces, whole, { identities, oneHost: false });
    const monitor = new Monitor({ source: replay, historyBytes: 2 ** 24, filter: NO_FILTER });
    while (!monitor.pump());
    const ages = (atNs: number) => monitor.outstanding.inFlightAt(atNs)?.map(({ ageNs }) => ageNs);
    expect(ages(9e9)).toEqual([]);
    expect(ages(15e9)).toEqual([5e9, 4.999e9, 4.998e9]);
    expect(monitor.outstanding.hanging(15e9)).toEqual({ count: 3, ageNs: 5e9, disk: 'sda' });
    expect(inFlightAt(replay.info.inFlight!, 31e9)).toEqual([]);
    replay.dispose();
  });
});
