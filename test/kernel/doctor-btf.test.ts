import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTracepoints } from '../../src/kernel/doctor/btf.ts';
import { buildBtf } from './fixtures/btf-builder.ts';

const name = fc.stringMatching(/^[a-z][a-z_]{0,30}$/);
const tracepoints = fc.dictionary(name, fc.integer({ min: 0, max: 12 }), { noNullPrototype: true });

describe('readTracepoints', () => {
  it('finds each tracepoint with its arguments and no other', () => {
    fc.assert(
      fc.property(tracepoints, fc.array(name), (present, others) => {
        const names = [...Object.keys(present), ...others];
        const found = readTracepoints(buildBtf(present), names);
        expect(found).toEqual({ ok: true, value: new Map(Object.entries(present)) });
      }),
      { seed: 1 },
    );
  });

  it('answers whatever the bytes are, and never reads beyond them', () => {
    const whole = buildBtf({ block_rq_issue: 1, block_rq_complete: 3 });
    fc.assert(
      fc.property(
        fc.nat(whole.length - 1),
        fc.nat(255),
        fc.integer({ min: 0, max: whole.length }),
        (at, byte, length) => {
          const broken = whole.slice();
          broken[at] = byte;
          const found = readTracepoints(broken.subarray(0, length), ['block_rq_issue']);
          expect(typeof found.ok).toBe('boolean');
        },
      ),
      { seed: 1, numRuns: 2000 },
    );
  });

  it('does not take a type that is no function pointer for a tracepoint', () => {
    const btf = buildBtf({ block_rq_issue: 1 });
    // The pointer, second after the prototype with its two parameters, becomes a CONST.
    btf[24 + 12 + 2 * 8 + 7] = 10;
    expect(readTracepoints(btf, ['block_rq_issue'])).toEqual({ ok: true, value: new Map() });
  });
});
