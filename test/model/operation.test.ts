import { expect, test } from 'vitest';
import { deviceMajor, deviceMinor, packDevice, unknownDeviceName } from '../../src/model/device.ts';
import { Op, opClass, opClassIndex, OP_CLASSES, RequestFlag } from '../../src/model/operation.ts';

test('flags do not change the class of an operation', () => {
  const flags = Object.values(RequestFlag).reduce((all, flag) => all | flag, 0);
  for (const op of Object.values(Op)) expect(opClass(op | flags)).toBe(opClass(op));
});

test('operations belong to the class that a person expects', () => {
  expect(Object.values(Op).map((op) => opClass(op))).toEqual([
    'read',
    'write',
    'flush',
    'discard',
    'discard',
    'write',
    'other',
    'other',
  ]);
});

test('every operation number has a class', () => {
  for (let op = 0; op < 256; op++) expect(OP_CLASSES[opClassIndex(op)]).toBeDefined();
});

test('device numbers survive packing, up to the largest', () => {
  for (const [major, minor] of [
    [0, 0],
    [8, 16],
    [259, 1_048_575],
    [4_095, 1_048_575],
  ] as const) {
    const dev = packDevice(major, minor);
    expect([deviceMajor(dev), deviceMinor(dev)]).toEqual([major, minor]);
    expect(unknownDeviceName(dev)).toBe(`${major}:${minor}`);
  }
});
