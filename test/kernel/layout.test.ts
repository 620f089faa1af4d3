import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  Dimension,
  IoCompletion,
  IoFlag,
  OpClass,
  ReqOp,
  RequestBits,
} from '../../src/kernel/abi/layout.ts';
import { FINE_BINS, OFFSET_BINS, SUB_BIN_BITS } from '../../src/model/fine-bins.ts';
import { IdentityMark } from '../../src/model/identity.ts';
import { Op, OP_CLASSES, OP_MASK, opClass, RequestFlag } from '../../src/model/operation.ts';
import { layoutSource } from '../tools/layout-source.ts';

const ROOT = join(import.meta.dirname, '../..');
const object = readFileSync(join(ROOT, 'bpf/ioheat.bpf.o'));

describe('src/kernel/abi/layout.ts', () => {
  it('src/kernel/abi/layout.ts is what `make -C bpf` generates from the committed object', () => {
    const committed = readFileSync(join(ROOT, 'src/kernel/abi/layout.ts'), 'utf8');
    expect(committed).toBe(layoutSource(object));
  });

  it('src/kernel/abi/layout.ts has every enum of bpf/ioheat.h', () => {
    const header = readFileSync(join(ROOT, 'bpf/ioheat.h'), 'utf8');
    const enums = [...header.matchAll(/^enum (\w+) \{/gm)].map(([, name]) => name!);
    expect(enums.length).toBeGreaterThan(3);
    expect(enums.filter((name) => !header.includes(`\tenum ${name} ${name};`))).toEqual([]);
  });

  it('the error of a record is in the low half of the word with its flags', () => {
    const { error, flags } = IoCompletion.offsets;
    expect([error % 4, flags]).toEqual([0, error + 2]);
  });
});

describe('the model, which knows no kernel, agrees with the kernel programs', () => {
  it('the model and the kernel programs agree on operations and flags of requests', () => {
    const { drvIn, ...named } = ReqOp;
    expect(Op).toMatchObject({ ...named, driverIn: drvIn });
    const { opMask, ...flags } = RequestBits;
    expect(OP_MASK).toBe(opMask);
    expect(RequestFlag).toMatchObject(flags);
  });

  it('the model and the kernel programs agree on classes of operations', () => {
    expect(Object.keys(OpClass)).toEqual([...OP_CLASSES]);
    expect(Object.values(OpClass)).toEqual(OP_CLASSES.map((_, index) => index));
    expect(Dimension.opClasses).toBe(OP_CLASSES.length);
    expect([ReqOp.writeZeroes, ReqOp.secureErase, ReqOp.drvIn].map(opClass)).toEqual([
      'write',
      'discard',
      'other',
    ]);
  });

  it('the model and the kernel programs agree on marks of identities', () => {
    expect(IoFlag).toMatchObject({
      ownerUnknown: IdentityMark.ownerUnknown,
      indirect: IdentityMark.indirect,
    });
  });

  it('the model and the kernel programs agree on the bins of histograms', () => {
    expect(Dimension).toMatchObject({
      subBinBits: SUB_BIN_BITS,
      timeBins: FINE_BINS,
      offsetBins: OFFSET_BINS,
    });
  });
});

describe('the object', () => {
  it('the eBPF object contains no path of the machine that built it', () => {
    expect(object.includes('/home/')).toBe(false);
    expect(object.includes(ROOT)).toBe(false);
  });
});
