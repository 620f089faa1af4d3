import { describe, expect, it } from 'vitest';
import { noneOf, nounOf, nounsOf } from '../../src/model/layer.ts';

describe('the words for what a layer has', () => {
  it('the words for what a layer has are its own', () => {
    expect([nounOf('disks'), nounOf('volumes'), nounOf('waits'), nounOf('calls')]).toEqual([
      ...['I/O', 'I/O', 'wait', 'call'],
    ]);
    expect([noneOf('disks'), noneOf('calls'), noneOf()]).toEqual(['no I/O', 'no calls', 'no I/O']);
  });

  it('the words for what a layer has name several layers, each noun once', () => {
    expect(nounsOf(['disks'])).toBe('I/Os');
    expect(nounsOf(['disks', 'volumes', 'waits', 'calls'])).toBe('I/Os, waits and calls');
  });
});
