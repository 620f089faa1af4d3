import { describe, expect, it } from 'vitest';
import { parseBytes, parseDuration } from '../../src/base/parse.ts';

describe('parseDuration', () => {
  it.each([
    ['100ms', 100e6],
    ['1.5s', 1.5e9],
    ['2m', 120e9],
    ['1h', 3600e9],
    ['250us', 250e3],
    ['4.1s', 4_100_000_000],
    ['128.3ms', 128_300_000],
    ['1.07s', 1_070_000_000],
  ])('parseDuration reads %s as %d ns', (text, ns) => {
    expect(parseDuration(text)).toEqual({ ok: true, value: ns });
  });

  it.each(['', '5', 's', '-1s', '1 fortnight', '1e3s'])('parseDuration refuses %j', (text) => {
    expect(parseDuration(text).ok).toBe(false);
  });
});

describe('parseBytes', () => {
  it.each([
    ['4096', 4096],
    ['64k', 65536],
    ['1.5M', 1572864],
    ['2GiB', 2 ** 31],
    ['16 KB', 16384],
  ])('parseBytes reads %s as %d bytes', (text, bytes) => {
    expect(parseBytes(text)).toEqual({ ok: true, value: bytes });
  });

  it.each(['', 'k', '-4k', '1x', '0x10'])('parseBytes refuses %j', (text) => {
    expect(parseBytes(text).ok).toBe(false);
  });
});
