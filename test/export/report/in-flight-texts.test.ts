import { expect, test } from 'vitest';
import { inFlightTexts } from '../../../src/export/report/in-flight-texts.ts';
import type { InFlightRow } from '../../../src/model/in-flight.ts';
import { READ_IN_FLIGHT } from '../../model/in-flight-read.ts';

const OF_DISK: InFlightRow = { ...READ_IN_FLIGHT, ageNs: 20e9 };
const OF_VOLUME: InFlightRow = {
  ...OF_DISK,
  ageNs: 21e9,
  layer: 'volumes',
  stage: 'in the volume',
  disk: 'vg0-data',
};

const ON_DISK = '1 I/O had not completed at the end: the oldest for 20s on sda';
const IN_VOLUME = '1 I/O had not completed at the end: the oldest for 21s on vg0-data';

test('what had not completed is that of the layer shown, and an I/O counts once', () => {
  const both = [OF_VOLUME, OF_DISK];
  expect(inFlightTexts(both, 'disks')).toEqual([ON_DISK]);
  expect(inFlightTexts(both, undefined)).toEqual([ON_DISK]);
  expect(inFlightTexts(both, 'volumes')).toEqual([IN_VOLUME]);
});

test('what had not completed is of the other layer of devices where the one shown has none', () => {
  expect(inFlightTexts([OF_VOLUME], 'disks')).toEqual([IN_VOLUME]);
  expect(inFlightTexts([OF_DISK], 'volumes')).toEqual([ON_DISK]);
});

test('of calls and waits, what had not completed is the I/O of devices, and the text says so', () => {
  const both = [OF_VOLUME, OF_DISK];
  expect(inFlightTexts(both, 'calls')).toEqual([`${ON_DISK}; calls are known only once they end`]);
  expect(inFlightTexts(both, 'waits')).toEqual([`${ON_DISK}; waits are known only once they end`]);
});

test('nothing is said where all had completed, or nothing can know it', () => {
  expect(inFlightTexts([], 'calls')).toEqual([]);
  expect(inFlightTexts(undefined, 'disks')).toEqual([]);
});
