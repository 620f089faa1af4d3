import { describe, expect, it } from 'vitest';
import { checkRecordOptions } from '../../src/cli/check-record-options.ts';
import { NO_RECORDING } from '../../src/app/options/record-options.ts';

describe('options of a recording', () => {
  it('record without options has the defaults', () => {
    expect(checkRecordOptions({})).toEqual({ ok: true, value: NO_RECORDING });
  });

  it.each([
    ['100M', { rotateBytes: 100 * 2 ** 20 }],
    ['2GiB', { rotateBytes: 2 ** 31 }],
    ['1h', { rotateMs: 3_600_000 }],
    ['10m', { rotateMs: 600_000 }],
    ['2d', { rotateMs: 2 * 86_400_000 }],
  ])('--rotate accepts %s as a size or a time', (rotate, expected) => {
    expect(checkRecordOptions({ file: 'a', rotate })).toMatchObject({ ok: true, value: expected });
  });

  it.each([
    [
      { file: 'a', rotate: 'often' },
      '--rotate: "often" is not a size from 1M to 1024T, or a time from 1s to 365d',
    ],
    [{ file: 'a', rotate: '1k' }, '--rotate: "1k" is not a size from 1M'],
    [
      { file: 'a', rotate: '10ms' },
      '--rotate: "10ms" is not a size from 1M to 1024T, or a time from 1s to 365d',
    ],
    [{ file: 'a', keep: '3' }, '--keep: no effect without --rotate'],
    [{ file: 'a', rotate: '1h', keep: '0' }, '--keep: "0" is not a whole number from 1 to 999999'],
    [{ file: '-', rotate: '1h' }, 'standard output'],
    [{ file: 'a', rotate: '1h', force: true as const }, '--force: no effect with --rotate'],
    [{ file: '' }, 'empty'],
    [{ file: 'a', duration: '0s' }, '--duration: "0s" is not a time from 100ms to 365d'],
    [{ file: 'a', duration: 'long' }, '--duration: "long" is not a time'],
  ])('record refuses %j', (raw, why) => {
    const checked = checkRecordOptions(raw);
    expect(checked.ok ? '' : checked.error).toContain(why);
  });

  it('a recording may last for days', () => {
    expect(checkRecordOptions({ duration: '7d' })).toMatchObject({
      value: { durationNs: 7 * 86_400e9 },
    });
  });
});
