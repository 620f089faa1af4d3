import { describe, expect, it } from 'vitest';
import {
  HANDOVER_VERSION,
  handoverFds,
  parseTraceHandover,
  type TraceHandover,
} from '../../src/kernel/attach/trace-handover.ts';

const GOOD: TraceHandover = {
  version: HANDOVER_VERSION,
  monotonicNs: '123456789',
  wallNs: '1700000000000000000',
  ring: { fd: 10, bytes: 4096 },
  inflight: { fd: 11, slots: 64 },
  extents: { fd: 18 },
  summaries: { fd: 12, devices: 4, stripes: 2 },
  counters: { fd: 13, cpus: 2 },
  control: { fd: 14 },
  links: [15, 16],
  programs: [{ name: 'complete', fd: 17 }],
  missing: [{ tracepoint: 'block_io_start', lost: 'owners' }],
  countsWaiting: true,
};

describe('a trace handed over', () => {
  it('a trace handed over is understood after its way through JSON', () => {
    const result = parseTraceHandover(JSON.parse(JSON.stringify(GOOD)));
    expect(result).toEqual({ ok: true, value: GOOD });
  });

  it('a trace handed over names every descriptor', () => {
    expect(handoverFds(GOOD).sort((a, b) => a - b)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18]);
  });

  it('a trace handed over names the maps of files and writers where there are any', () => {
    const seeing = { ...GOOD, files: { fd: 19 }, vias: { fd: 20 } };
    expect(handoverFds(seeing)).toEqual(expect.arrayContaining([19, 20]));
    expect(parseTraceHandover(seeing)).toEqual({ ok: true, value: seeing });
  });

  it.each([
    ['nothing', undefined],
    ['text', 'ring'],
    ['another version', { ...GOOD, version: 2 }],
    ['a descriptor that is text', { ...GOOD, ring: { fd: '10', bytes: 4096 } }],
    ['a time that is no number', { ...GOOD, monotonicNs: '-1' }],
    ['a link that is none', { ...GOOD, links: [null] }],
    ['silent on what the kernel counts', { ...GOOD, countsWaiting: undefined }],
    ['a map of files that is none', { ...GOOD, files: {} }],
    ['no programs', { ...GOOD, programs: undefined }],
  ])('a trace handed over is refused when it is %s', (_, value) => {
    expect(parseTraceHandover(value).ok).toBe(false);
  });
});
