import { describe, expect, it } from 'vitest';
import { PlaybackControl } from '../../../src/app/playback/playback-control.ts';
import type { StartAt } from '../../../src/app/playback/playback-control.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { ReplayClock } from '../../../src/trace/replay/replay-clock.ts';
import { ReplaySource } from '../../../src/trace/replay/replay-source.ts';
import { Transport } from '../../../src/trace/replay/transport.ts';
import type { TraceField, TraceHeader, TraceReader } from '../../../src/trace/trace-reader.ts';
import type { Action } from '../../../src/view/action.ts';
import { DEFAULT_VIEW } from '../../../src/view/state.ts';
import type { ViewState } from '../../../src/view/state.ts';
import { ViewStore } from '../../../src/view/reduce/store.ts';
import { WORLD } from '../../view/fixtures.ts';
import {
  chunkOf,
  keptPattern,
  KeptTrace,
  ManualClock,
  tableOf,
} from '../../trace/replay/kept-trace.ts';

const SCREEN_NS = 10e9;

/** A session without a screen: its view, and what turns the clock. */
class HeadlessSession {
  readonly real = new ManualClock();
  readonly control: PlaybackControl;
  readonly transport: Transport;

  constructor(
    reader: TraceReader,
    identities: IdentityTable,
    startAt: StartAt = { kind: 'first-screen' },
  ) {
    const clock = new ReplayClock(this.real.nowNs);
    const traces = [{ name: 'a', reader, identities: identities }];
    this.transport = new Transport(
      clock,
      new ReplaySource(traces, clock, { identities, oneHost: false }),
    );
    this.control = new PlaybackControl(this.transport, startAt);
  }

  private readonly store = new ViewStore(DEFAULT_VIEW, {
    facts: () => ({
      ...WORLD,
      ...{ startNs: 0, nowNs: this.nowNs, replay: this.control.extent() },
    }),
    perform: () => undefined,
    changed: (before, after, action) => this.control.follow(before, after, action),
  });

  get view(): ViewState {
    return this.store.state;
  }

  do(...actions: readonly Action[]): this {
    for (const action of actions) this.store.dispatch(action);
    return this;
  }

  begin(plays = true): this {
    this.do(...this.control.begin(this.view, SCREEN_NS, plays));
    return this.pump();
  }

  pump(): this {
    for (let turn = 0; turn < 20; turn++) {
      this.transport.source.read();
      this.transport.source.readSummaries();
      this.do(...this.control.tick(this.view, () => SCREEN_NS));
    }
    return this;
  }

  wait(ns: number): this {
    this.real.ns += ns;
    return this.pump();
  }

  get nowNs(): number {
    return this.transport.clock.nowNs();
  }
}

function ofPattern(
  seconds: number,
  { startAt, header = {} }: { startAt?: StartAt; header?: Partial<TraceHeader> } = {},
): HeadlessSession {
  const identities = new IdentityTable();
  const reader = keptPattern({ pattern: 'mixed', seconds, identities, header });
  return new HeadlessSession(reader, identities, startAt);
}

const PAUSE: Action = { type: 'togglePause' };

describe('playback', () => {
  it('a replay opens with the first screenful and plays from there', () => {
    const session = ofPattern(30).begin();
    expect([session.nowNs, session.control.isThere]).toEqual([SCREEN_NS, true]);
    expect(session.wait(2e9).nowNs).toBe(SCREEN_NS + 2e9);
  });

  it('a replay opens at the time given by --at', () => {
    const share = { kind: 'share', share: 0.5 } as const;
    expect(ofPattern(30, { startAt: share }).begin().nowNs).toBe(15e9);
    const time = { kind: 'time', atNs: 7e9 } as const;
    expect(ofPattern(30, { startAt: time }).begin(false).wait(5e9).nowNs).toBe(7e9);
  });

  it('a replay pauses while the view is frozen, and plays on when it follows', () => {
    const session = ofPattern(30).begin().wait(2e9).do(PAUSE).wait(5e9);
    expect([session.nowNs, session.control.status().state]).toEqual([12e9, 'paused']);
    session.do(PAUSE);
    expect(session.view.notice).toBe('playing at 1x');
    expect(session.wait(3e9).nowNs).toBe(15e9);
  });

  const POINT: Action = { type: 'pointAt', at: { column: 88, lowBin: 1, highBin: 1 } };
  const FINER: Action = { type: 'stepInterval', step: -1 };
  const LEAVE: Action = { type: 'close' };
  const ZOOM = new Array<Action>(3).fill(FINER);

  it('a replay that was held under a cross-hair plays on from there, wherever a zoom has moved to', () => {
    const session = ofPattern(30)
      .begin()
      .wait(2e9)
      .do(POINT, ...ZOOM);
    expect(session.nowNs).toBeLessThan(12e9);
    session.do(LEAVE).pump();
    expect([session.nowNs, session.control.status().state]).toEqual([12e9, 'playing']);
  });

  it('a replay at its end stays there after a zoom under a cross-hair', () => {
    const session = ofPattern(12).begin().wait(60e9);
    const endNs = session.nowNs;
    session.do(POINT, ...ZOOM);
    expect(session.nowNs).toBeLessThan(endNs);
    session.do(LEAVE).wait(1e9);
    expect([session.nowNs, session.control.status().state]).toEqual([endNs, 'ended']);
  });

  it('a replay that was scrolled under a cross-hair stays where it was scrolled to', () => {
    for (const by of ['earlier', 'later'] as const) {
      const session = ofPattern(120).begin().wait(60e9).do(POINT, { type: 'scrollTime', by });
      const { nowNs } = session;
      expect(nowNs).not.toBe(70e9);
      session.do(LEAVE).wait(5e9);
      expect([session.nowNs, session.control.status().state]).toEqual([nowNs, 'paused']);
    }
  });

  it('a replay that was scrolled to its end under a cross-hair stays there', () => {
    const session = ofPattern(30).begin().wait(15e9).do(POINT, { type: 'scrollTime', by: 'later' });
    const { nowNs } = session;
    expect(nowNs).toBeGreaterThan(25e9);
    session.do(LEAVE).wait(1e9);
    expect([session.nowNs, session.view.frozenAtNs]).toEqual([nowNs, nowNs]);
  });

  it('a replay says that it has reached the end, and does not play beyond', () => {
    const session = ofPattern(12).begin().wait(60e9);
    expect(session.view.notice).toBe('the whole recording is on screen');
    session.do(PAUSE, PAUSE);
    expect(session.view.notice).toBe('the whole recording is on screen');
    expect(session.control.status()).toMatchObject({ state: 'ended', share: 1 });
  });

  it('a replay whose columns somebody has chosen says at the end what Home would do', () => {
    const HOME: Action = { type: 'scrollTime', by: 'first' };
    for (const [seconds, notice] of [
      [60, 'the whole recording is on screen'],
      [160, 'end of the recording; Home goes to the start'],
    ] as const) {
      const session = ofPattern(seconds).begin();
      for (let turn = 0; turn < 20; turn++) session.wait(10e9);
      expect(session.view).toMatchObject({ fitsInterval: false, notice });
      const { nowNs } = session;
      expect(session.do(HOME).nowNs < nowNs).toBe(seconds === 160);
    }
  });

  it('a replay plays on without a word where the key has an answer of its own', () => {
    for (const seconds of [12, 100]) {
      const session = ofPattern(seconds).begin().wait(60e9);
      const box = WORLD.boxOf({ column: 1, bin: 1 }, { column: 1, bin: 2 });
      session.do({ type: 'openCursor' }, { type: 'boxRead', box, why: 'zoom' });
      expect(session.view).toMatchObject({
        frozenAtNs: undefined,
        notice: 'y axis zoomed; Z resets it',
      });
      session.do({ type: 'openCursor' }, { type: 'goBack' });
      expect(session.view).toMatchObject({
        frozenAtNs: undefined,
        notice: 'back; \\ goes forward',
      });
    }
  });

  it('playback keys step through the speeds and say when there is none beyond', () => {
    const { control } = ofPattern(12).begin();
    expect(control.stepSpeed(1).notice).toBe('speed 2x');
    for (let step = 0; step < 20; step++) control.stepSpeed(1);
    expect(control.stepSpeed(1).notice).toBe('this is the maximum speed');
    expect(control.stepSpeed(-1).notice).toBe('speed 1000x');
  });

  it('jumping to a gap centres it, and says when no gap follows', () => {
    const gap = { startNs: 20e9, endNs: 50e9 };
    const chunks = [chunkOf([{ completeNs: 1e9 }]), chunkOf([{ completeNs: 60e9 }], { gap })];
    const session = new HeadlessSession(new KeptTrace({ chunks }), tableOf('dd', 1)).begin();
    session.do(session.control.seekGap(session.view));
    session.pump();
    expect(session.view).toMatchObject({
      frozenAtNs: 25e9,
      notice: 'nothing was recorded for 30s',
    });
    session.do(session.control.seekGap(session.view));
    expect(session.pump().view.notice).toBe('no more gaps in the recording');
  });

  it('a replay opens with a metric that the trace has, and warns of one that it lacks', () => {
    const session = ofPattern(12, { header: { unknown: ['device', 'queue'] } }).begin(false);
    expect(session.view.metric).toBe('offset');
    expect(session.view.notice).toBe('total latency is not in this trace');
    session.do({ type: 'setMetric', metric: 'queue' });
    expect(session.view.notice).toContain('is not in this trace');
  });

  it('a replay says that a trace lacks the values that pixels are weighted by', () => {
    const WEIGH = { type: 'cycleWeight' } as const;
    const notices = (header: Partial<TraceHeader>) => {
      const session = ofPattern(12, { header }).begin(false);
      return [1, 2].map(() => session.do(WEIGH).view.notice);
    };
    const LATENCY = 'latency is not in this trace; w: next weight';
    const SIZES = 'sizes are not in this trace; w: next weight';
    const unknown = ['device', 'queue'] as const;
    expect(notices({ unknown: [...unknown, 'bytes'] })).toEqual([LATENCY, SIZES]);
    expect(notices({ unknown, latency: 'total' })).toEqual(notices({ unknown: [] }));
    expect(notices({ unknown: ['queue', 'bytes'] })).toEqual([notices({ unknown: [] })[0], SIZES]);
  });

  it('a replay of a log with total latencies alone opens with these', () => {
    const header = { unknown: ['device', 'queue'], latency: 'total' } as const;
    const session = ofPattern(12, { header }).begin(false);
    expect(session.view).toMatchObject({ metric: 'total', notice: undefined });
  });

  it('a replay does not warn of a metric that later lines of a log turned out to have', () => {
    let unknown: readonly TraceField[] = ['queue'];
    const kept = new KeptTrace({ chunks: [chunkOf([{ completeNs: 1e9 }])] });
    const header: TraceHeader = {
      ...kept.header,
      get unknown() {
        return unknown;
      },
    };
    const session = new HeadlessSession(Object.assign(kept, { header }), tableOf('dd', 1));
    session.begin();
    expect(session.view).toMatchObject({
      ...{ metric: 'device', notice: 'total latency is not in this trace' },
    });
    unknown = [];
    session.do({ type: 'setMetric', metric: 'queue' });
    expect(session.view.notice).toBe('queue latency: queued to issue');
  });

  it('a replay cannot change the speed of a stream or jump to its end', () => {
    const session = ofPattern(12);
    session.transport.clock.follow();
    session.transport.source.read();
    expect(session.control.extent()).toBeUndefined();
    expect(session.control.stepSpeed(1).notice).toContain('cannot change the speed');
    expect(session.control.seekGap(session.view).notice).toBe('the stream has not ended yet');
  });

  it('a stream that has ended is a recording, which ends at once', () => {
    const session = ofPattern(12);
    session.transport.clock.follow();
    session.begin();
    while (!session.transport.source.isEnded) session.pump();
    expect(session.pump().control.extent()).toMatchObject({ endNs: session.transport.endNs });
    expect(session.control.status()).toMatchObject({ state: 'ended', share: 1 });
    expect(session.control.stepSpeed(1).notice).toBe('speed 2x');
    expect(session.control.seekGap(session.view).notice).toBe('searching for the next gap');
  });

  it('a picture that was frozen when its stream ended plays on from there', () => {
    const session = ofPattern(12);
    session.transport.clock.follow();
    session.transport.source.read();
    session.do(...session.control.tick(session.view, () => SCREEN_NS), PAUSE);
    const frozenAtNs = session.view.frozenAtNs!;
    while (!session.transport.source.isEnded) session.pump();
    expect(session.pump().nowNs).toBe(frozenAtNs);
    expect(session.do(PAUSE).wait(1e9).nowNs).toBe(frozenAtNs + 1e9);
  });
});
