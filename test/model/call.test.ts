import { describe, expect, it } from 'vitest';
import { SpecialCall, WaitBits } from '../../src/kernel/abi/layout.ts';
import {
  CALL_SHIFT,
  callOf,
  callText,
  callOperation,
  CALLS,
  OTHER_CALL,
  parseCallText,
} from '../../src/model/call.ts';
import { OPEN_FLAG_SHIFT } from '../../src/model/open-flags.ts';
import { IdentityMark, type Identity } from '../../src/model/identity.ts';
import { Op } from '../../src/model/operation.ts';

function wait(number: number, changes: Partial<Identity> = {}): Identity {
  const cmdFlags = ((number << CALL_SHIFT) | OTHER_CALL) >>> 0;
  const nobody = { dev: 0, tgid: 1, tid: 1, comm: 'sh', cgroup: 0, error: 0, marks: 0 };
  return { ...nobody, cmdFlags, layer: 'waits', ...changes };
}

describe('the call of a wait', () => {
  it('the call of a wait is kept where requests have no flags', () => {
    expect(callOf(wait(CALLS.indexOf('fsync')))).toBe('fsync');
    expect(callOf(wait(CALLS.length - 1))).toBe(CALLS.at(-1));
  });

  it('the call of a wait is "other" if it is newer than this version', () => {
    expect(callOf(wait(CALLS.length + 7))).toBe('other');
  });

  it('the call of a wait is not known of waits that were counted together, and I/O has none', () => {
    expect(callOf(wait(5, { marks: IdentityMark.noDetail }))).toBeUndefined();
    expect(callOf(wait(5, { layer: undefined }))).toBeUndefined();
  });

  it('the call of a wait says whether it is a read, a write or a flush', () => {
    expect(callOperation('page-fault')).toBe(Op.read);
    expect(callOperation('pwritev2')).toBe(Op.write);
    expect(callOperation('fdatasync')).toBe(Op.flush);
    expect(callOperation('rename')).toBe(OTHER_CALL);
  });

  it('the call of a wait is the same after it was text', () => {
    for (const call of CALLS) {
      for (const layer of ['waits', 'calls'] as const) {
        const cmdFlags = parseCallText(callText(call, layer))!;
        expect(callOf(wait(0, { cmdFlags, layer }))).toBe(call);
        expect(cmdFlags & 0xff).toBe(callOperation(call));
      }
    }
    expect(callText('fsync', 'calls')).toBe('call fsync');
    expect(parseCallText('write')).toBeUndefined();
    expect(callOf(wait(0, { cmdFlags: parseCallText('wait newcall')! }))).toBe('other');
  });

  it('the call of a wait has the numbers of the kernel programs', () => {
    expect([CALLS[SpecialCall.unknown], CALLS[SpecialCall.pageFault]]).toEqual([
      'other',
      'page-fault',
    ]);
    expect(WaitBits).toEqual({
      callShift: CALL_SHIFT,
      otherCall: OTHER_CALL,
      openShift: OPEN_FLAG_SHIFT,
    });
    // The kernel programs have 8 bits for it.
    expect(CALLS.length).toBeLessThan(256);
  });
});
