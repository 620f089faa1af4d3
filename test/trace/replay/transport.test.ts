import { describe, expect, it } from 'vitest';
import type { DeviceInfo } from '../../../src/model/device.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { ReplayClock } from '../../../src/trace/replay/replay-clock.ts';
import { ReplaySource } from '../../../src/trace/replay/replay-source.ts';
import { SPEEDS, Transport } from '../../../src/trace/replay/transport.ts';
import type { TraceReader } from '../../../src/trace/trace-reader.ts';
import { chunkOf, keptPattern, KeptTrace, ManualClock, tableOf } from './kept-trace.ts';

function transportOf(
  reader: TraceReader & { devices(): readonly DeviceInfo[] },
  identities: IdentityTable,
): { transport: Transport; real: ManualClock; pump: () => number } {
  const real = new ManualClock();
  const clock = new ReplayClock(real.nowNs);
  const source = new ReplaySource([{ name: 'a', reader, identities }], clock, {
    identities,
    oneHost: false,
  });
  const transport = new Transport(clock, source);
  const pump = (): number => {
    const rows = source.read().length;
    source.readSummaries();
    transport.step();
    return rows;
  };
  return { transport, real, pump };
}

function ofPattern(seconds: number, tellsExtent = true): ReturnType<typeof transportOf> {
  const identities = new IdentityTable();
  return transportOf(
    keptPattern({ pattern: 'mixed', seconds, identities, tellsExtent }),
    identities,
  );
}

function ofSeconds(...seconds: number[]): ReturnType<typeof transportOf> {
  const chunks = seconds.map((second) => chunkOf([{ completeNs: second * 1e9 }]));
  return transportOf(new KeptTrace({ chunks }), tableOf('dd', 1));
}

describe('the transport of a replay', () => {
  it('a replay plays only when everything up to the present is loaded', () => {
    const { transport, real, pump } = ofPattern(20);
    transport.pauseAt(5e9);
    transport.play();
    expect(transport.status()).toEqual({ state: 'loading', speed: 1, share: 0.25 });
    real.ns += 3e9;
    pump();
    expect(transport.status()).toEqual({ state: 'playing', speed: 1, share: 0.25 });
    real.ns += 5e9;
    pump();
    expect(transport.status()).toEqual({ state: 'playing', speed: 1, share: 0.5 });
  });

  it('a replay that plays before its first I/O gets there after many chunks without I/O', () => {
    const chunks = [
      ...Array.from({ length: 40 }, () => chunkOf([])),
      chunkOf([{ completeNs: 9e9 }]),
    ];
    const extent = { startNs: 5e9, endNs: 10e9, rows: 1 };
    const { transport, real, pump } = transportOf(
      new KeptTrace({ chunks, header: { extent } }),
      tableOf('dd', 1),
    );
    transport.play();
    pump();
    for (let second = 0; second < 12; second++) {
      real.ns += 1e9;
      for (let i = 0; i < 4; i++) pump();
    }
    expect(transport.status().state).toBe('ended');
  });

  it('a replay reaches the end, and stays there', () => {
    const { transport, real, pump } = ofPattern(4);
    transport.play();
    pump();
    real.ns += 100e9;
    while (pump() > 0);
    pump();
    expect(transport.status()).toEqual({ state: 'ended', speed: 1, share: 1 });
    expect([transport.clock.nowNs(), transport.play()]).toEqual([4e9, false]);
  });

  it('a replay at maximum speed ends where the recording ends', () => {
    const { transport, pump } = ofPattern(4);
    transport.setSpeed(Infinity);
    transport.play();
    for (let i = 0; i < 5; i++) pump();
    expect([transport.status().state, transport.clock.nowNs()]).toEqual(['ended', 4e9]);
  });

  it('a replay that jumps back plays again from there', () => {
    const { transport, real, pump } = ofPattern(4);
    transport.pauseAt(4e9);
    while (pump() > 0);
    transport.pauseAt(1e9);
    pump();
    expect(transport.status().state).toBe('paused');
    transport.play();
    pump();
    real.ns += 2e9;
    expect([transport.clock.nowNs(), pump()]).toEqual([3e9, 0]);
  });

  it('a replay jumps to a part of a trace whose end only its last row tells', () => {
    const { transport, pump } = ofSeconds(1, 2, 3, 8);
    transport.toShare(0.5);
    expect(transport.status()).toEqual({ state: 'loading', speed: 1, share: undefined });
    for (let i = 0; i < 6; i++) pump();
    expect(transport.status()).toEqual({ state: 'paused', speed: 1, share: 0.5 });
    expect(transport.clock.nowNs()).toBe(4e9);
  });

  it('a replay finds the next gap by loading until there is one', () => {
    const gap = { startNs: 5e9, endNs: 9e9 };
    const chunks = [
      chunkOf([{ completeNs: 1e9 }]),
      chunkOf([{ completeNs: 4e9 }]),
      chunkOf([{ completeNs: 9e9 }], { gap }),
      chunkOf([{ completeNs: 10e9 }]),
    ];
    const { transport, pump } = transportOf(new KeptTrace({ chunks }), tableOf('dd', 1));
    pump();
    transport.seekGap(0);
    expect(transport.takeGap()).toBeUndefined();
    for (let i = 0; i < 5; i++) pump();
    expect(transport.takeGap()).toEqual(gap);
    expect(transport.takeGap()).toBeUndefined();
    transport.seekGap(gap.startNs);
    for (let i = 0; i < 5; i++) pump();
    expect(transport.takeGap()).toBe('none');
  });

  it('replay steps through the speeds, from any speed between', () => {
    const { transport } = ofSeconds(1);
    transport.setSpeed(3);
    expect([transport.stepSpeed(1), transport.stepSpeed(-1)]).toEqual([5, 2]);
    for (const speed of SPEEDS.filter((one) => one > 2)) expect(transport.stepSpeed(1)).toBe(speed);
    expect(transport.stepSpeed(1)).toBeUndefined();
  });

  it('a replay at high speed waits for what is still being loaded', () => {
    const { transport, real, pump } = ofPattern(120);
    transport.setSpeed(1000);
    transport.play();
    pump();
    real.ns += 1e9;
    pump();
    const { lastNs } = transport.source;
    expect(lastNs).toBeLessThan(60e9);
    expect(transport.clock.nowNs()).toBe(lastNs);
  });
});
