import { describe, expect, it } from 'vitest';
import { checkRecordOptions, NO_RECORDING } from '../../../src/cli/record/record-options.ts';

describe('options of a recording', () => {
  it('say nothing when nothing is said', () => {
    expect(checkRecordOptions({})).toEqual({ ok: true, value: NO_RECORDING });
  });

  it.each([
    ['100M', { rotateBytes: 100 * 2 ** 20 }],
    ['2GiB', { rotateBytes: 2 ** 31 }],
    ['1h', { rotateMs: 3_600_000 }],
    ['10m', { rotateMs: 600_000 }],
    ['2d', { rotateMs: 2 * 86_400_000 }],
  ])('take --rotate %s for a size or a time', (rotate, expected) => {
    expect(checkRecordOptions({ file: 'a', rotate })).toMatchObject({ ok: true, value: expected });
  });

  it.each([
    [{ file: 'a', rotate: 'often' }, 'neither a size such as 100M nor a time such as 1h'],
    [{ file: 'a', rotate: '1k' }, 'at least 1M'],
    [{ file: 'a', rotate: '10ms' }, 'at least 1s'],
    [{ file: 'a', keep: '3' }, '--keep needs --rotate'],
    [{ file: 'a', rotate: '1h', keep: '0' }, 'no number of files'],
    [{ file: '-', rotate: '1h' }, 'standard output'],
    [{ file: 'a', rotate: '1h', force: true }, '--force has no effect'],
    [{ file: '' }, 'empty'],
    [{ file: 'a', duration: '0s' }, 'between 100ms and 365d'],
    [{ file: 'a', duration: 'long' }, 'not a duration'],
  ])('refuse %j', (raw, why) => {
    const checked = checkRecordOptions(raw);
    expect(checked.ok ? '' : checked.error).toContain(why);
  });

  it('let a recording last for days', () => {
    expect(checkRecordOptions({ duration: '7d' })).toMatchObject({
      value: { durationNs: 7 * 86_400e9 },
    });
  });
});
