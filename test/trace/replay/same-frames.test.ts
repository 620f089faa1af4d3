import { afterAll, describe, expect, it } from 'vitest';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { Monitor } from '../../../src/monitor/monitor.ts';
import { openRecording } from '../../../src/trace/recording/reading/open-recording.ts';
import { ReplayClock } from '../../../src/trace/replay/replay-clock.ts';
import { ReplaySource } from '../../../src/trace/replay/replay-source.ts';
import { Transport } from '../../../src/trace/replay/transport.ts';
import type { EventSource } from '../../../src/trace/event-source.ts';
import { Screen } from '../../../src/terminal/screen.ts';
import { FramePainter } from '../../../src/ui/frame/frame-painter.ts';
import { Scene } from '../../../src/ui/frame/scene.ts';
import { createTheme } from '../../../src/ui/text/theme.ts';
import { KEY_TABLE } from '../../../src/view/keys/key-table.ts';
import { DEFAULT_VIEW } from '../../../src/view/state.ts';
import type { ViewState } from '../../../src/view/state.ts';
import { pattern } from '../recording/fixtures/record.ts';
import { ManualClock } from './kept-trace.ts';
import { RecordingFolder } from './recording-file.ts';
import { must } from '../../must.ts';

const SECONDS = 30;
const folder = new RecordingFolder();

afterAll(() => {
  folder.remove();
});

/** The same program around either source: what it shows, as of a trace time. */
class Program {
  private readonly monitor: Monitor;
  private readonly screen = new Screen(120, 40, { colors: 'truecolor', unicode: true });
  private readonly painter: FramePainter;

  constructor(source: EventSource) {
    this.monitor = new Monitor({ source, historyBytes: 64 * 2 ** 20, filter: NO_FILTER });
    const look = { theme: createTheme(3), bindings: KEY_TABLE, unicode: true, color: true };
    const scene = new Scene(this.monitor, look, 120, 40);
    this.painter = new FramePainter(scene, this.screen, { recordedOnly: '' });
  }

  pump(): void {
    while (!this.monitor.pump());
  }

  /** Every cell: glyph, colours, attributes. */
  frame(view: ViewState, nowNs: number): string {
    this.painter.paint(view, nowNs);
    const { glyph, fg, bg, attr } = this.screen.cells;
    return [glyph, fg, bg, attr].map((cells) => cells.join()).join(';');
  }

  dispose(): void {
    this.painter.dispose();
  }
}

/** A header says where the I/O comes from; all else must be the same. */
function comingFrom(source: EventSource, { info }: EventSource): EventSource {
  const { kind, host } = info;
  return {
    info: { ...source.info, kind, host },
    read: () => source.read(),
    readSummaries: () => source.readSummaries(),
    counters: () => source.counters(),
    dispose: () => {
      source.dispose();
    },
  };
}

describe('a recording of the synthetic source, replayed', () => {
  it.each(['mixed', 'pterodactyl'] as const)(
    'a replayed recording of the pattern %s shows the frames of the pattern, cell by cell',
    async (name) => {
      const path = await folder.add(`${name}.ioheat`, { name, seconds: SECONDS });
      const direct = pattern(name);
      const identities = new IdentityTable();
      const opened = must(openRecording(path, identities));
      const real = new ManualClock();
      const clock = new ReplayClock(real.nowNs);
      const traces = [{ name, reader: opened, identities: identities }];
      const replay = new ReplaySource(traces, clock, { identities, oneHost: false });
      const transport = new Transport(clock, replay);
      const [a, b] = [new Program(direct.source), new Program(comingFrom(replay, direct.source))];
      transport.play();
      b.pump();
      transport.step();
      const views = [DEFAULT_VIEW, { ...DEFAULT_VIEW, metric: 'offset' as const }];
      for (let step = 1; step < SECONDS * 10; step++) {
        const nowNs = step * 100e6;
        const view = views[Math.floor(step / 100) % views.length]!;
        direct.moveTo(nowNs);
        real.ns = nowNs;
        a.pump();
        b.pump();
        transport.step();
        expect(clock.nowNs()).toBe(nowNs);
        if (step % 7 === 0)
          expect(b.frame(view, nowNs) === a.frame(view, nowNs), `${step}`).toBe(true);
      }
      direct.moveTo(SECONDS * 1e9);
      real.ns = SECONDS * 1e9;
      for (const program of [a, b]) program.pump();
      expect(replay.counters()).toEqual(direct.source.counters());
      for (const program of [a, b]) program.dispose();
      replay.dispose();
    },
  );
});
