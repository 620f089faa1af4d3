import { describe, expect, it } from 'vitest';
import { stackText } from '../../src/ui/tables/stack-text.ts';
import { DISK } from './fixtures/chrome-state.ts';

describe('how a disk or volume lies among others', () => {
  it.each([
    [{}, ''],
    [{ volumes: ['md0', 'cryptroot'] }, 'md0 cryptroot'],
    [{ liesOn: ['md0'] }, 'on md0'],
    [{ liesOn: ['sda', 'sdb'], volumes: ['cryptroot'] }, 'on sda sdb, below cryptroot'],
  ])('%j is %s', (stack, text) => {
    expect(stackText({ ...DISK, ...stack })).toBe(text);
  });
});
