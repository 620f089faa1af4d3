import { describe, expect, it } from 'vitest';
import { NO_FILTER } from '../../src/filter/filter.ts';
import type { Filter } from '../../src/filter/filter.ts';
import { parseFilter } from '../../src/filter/language/parse.ts';
import { IdentityMark } from '../../src/model/identity-table.ts';
import type { InFlightIo } from '../../src/model/in-flight.ts';
import { Op } from '../../src/model/operation.ts';
import { inFlightRows } from '../../src/monitor/in-flight-rows.ts';
import { HandClock, openPattern } from '../trace/synthetic/trace.ts';

const DEV = (8 << 20) | 16;

function read(tgid: number, comm: string, marks = 0): InFlightIo {
  return {
    ageNs: 2e9,
    stage: 'at the device',
    identity: { dev: DEV, cmdFlags: Op.read, tgid, tid: tgid, comm, cgroup: 1, error: 0, marks },
    bytes: 4096,
    sector: 8,
  };
}

const ALL = [read(7, 'mysqld'), read(9, 'rsync'), read(0, '', IdentityMark.ownerUnknown)];

function filter(text: string): Filter {
  const parsed = parseFilter(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

function ownersPassing(asked: Filter): readonly string[] {
  const { info } = openPattern('mixed', new HandClock());
  return inFlightRows(ALL, asked, info).map(({ comm }) => comm);
}

describe('rows of I/O in flight', () => {
  it('have the owner, or say that it is unknown', () => {
    expect(ownersPassing(NO_FILTER)).toEqual(['mysqld', 'rsync', '(unknown)']);
  });

  it('are filtered by what is known of them', () => {
    expect(ownersPassing(filter('comm=mysqld'))).toEqual(['mysqld']);
    expect(ownersPassing(filter('op=write'))).toEqual([]);
  });

  it('stay where the filter asks for what only a completion tells', () => {
    expect(ownersPassing(filter('lat>10s comm=rsync'))).toEqual(['rsync']);
  });
});
