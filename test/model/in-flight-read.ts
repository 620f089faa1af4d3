import type { InFlightRow } from '../../src/model/in-flight.ts';

/** A read of 16 KiB at the device of a disk. */
export const READ_IN_FLIGHT: InFlightRow = {
  id: 'read',
  ageNs: 12.4e9,
  layer: 'disks',
  stage: 'at the device',
  disk: 'sda',
  tgid: 892,
  comm: 'mysqld',
  indirect: false,
  opClass: 'read',
  bytes: 16384,
  sector: 58_593_750,
};
