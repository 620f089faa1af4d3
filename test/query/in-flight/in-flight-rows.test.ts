import { describe, expect, it } from 'vitest';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import type { Filter } from '../../../src/filter/filter.ts';
import { parseFilter } from '../../../src/filter/language/parse.ts';
import { MERGED_FILES } from '../../../src/model/file.ts';
import { IdentityMark } from '../../../src/model/identity.ts';
import type { InFlightIo } from '../../../src/model/in-flight.ts';
import { Op } from '../../../src/model/operation.ts';
import { inFlightRows } from '../../../src/query/in-flight/in-flight-rows.ts';
import { HandClock, openPattern } from '../../trace/synthetic/trace.ts';
import { must } from '../../must.ts';

const DEV = (8 << 20) | 16;

function read(tgid: number, comm: string, marks = 0): InFlightIo {
  return {
    slot: 0,
    sinceNs: 1e9,
    issueNs: 1e9,
    ageNs: 2e9,
    stage: 'at the device',
    identity: { dev: DEV, cmdFlags: Op.read, tgid, tid: tgid, comm, cgroup: 1, error: 0, marks },
    bytes: 4096,
    sector: 8,
    file: undefined,
    fileOffset: undefined,
  };
}

const ALL = [read(7, 'mysqld'), read(9, 'rsync'), read(0, '', IdentityMark.ownerUnknown)];

function filter(text: string): Filter {
  return must(parseFilter(text));
}

function ownersPassing(asked: Filter): readonly string[] {
  const { info } = openPattern('mixed', new HandClock());
  return inFlightRows(ALL, asked, info).map(({ comm }) => comm);
}

describe('rows of I/O in flight', () => {
  it('rows of I/O in flight have the owner, or say that it is unknown', () => {
    expect(ownersPassing(NO_FILTER)).toEqual(['mysqld', 'rsync', '(unknown)']);
  });

  it('rows of I/O in flight are filtered by what is known of them', () => {
    expect(ownersPassing(filter('comm=mysqld'))).toEqual(['mysqld']);
    expect(ownersPassing(filter('op=write'))).toEqual([]);
  });

  it('rows of I/O in flight are filtered by size, place and age', () => {
    expect(ownersPassing(filter('size>=8k'))).toEqual([]);
    expect(ownersPassing(filter('sector=8 lat>1s'))).toHaveLength(3);
    expect(ownersPassing(filter('lat<1s'))).toEqual([]);
    expect(ownersPassing(filter('offset>1m'))).toEqual([]);
  });

  it('rows of I/O in flight may still fail, or not', () => {
    for (const asked of ['error=any', 'error=EIO', 'error=none', 'error!=none'])
      expect(ownersPassing(filter(asked))).toHaveLength(3);
    expect(ownersPassing(filter('error=any comm=mysqld'))).toEqual(['mysqld']);
  });

  it('rows of I/O in flight are filtered by file from their issue on, and may be of any before', () => {
    const { info } = openPattern('mixed', new HandClock());
    const path = '/var/lib/mysql/orders.ibd';
    const facts = { kind: 'file', dev: 1, inode: 2, generation: 3, path } as const;
    const file = info.identities.files.intern(facts);
    const waiting = {
      ...read(9, 'rsync'),
      stage: 'queued',
      issueNs: undefined,
      bytes: undefined,
    } as const;
    const all = [
      { ...read(7, 'mysqld'), file: file + MERGED_FILES },
      { ...waiting, sector: undefined },
    ];
    const passing = (text: string) => inFlightRows(all, filter(text), info);
    expect(passing(`file=${path}`).map(({ comm }) => comm)).toEqual(['mysqld', 'rsync']);
    expect(passing('file=/etc/passwd').map(({ comm }) => comm)).toEqual(['rsync']);
    expect(passing(`file=${path}`)[0]).toMatchObject({ file: path, hasOtherFiles: true });
  });

  it('rows of I/O in flight have the thread that submitted what the owner wrote', () => {
    const { info } = openPattern('mixed', new HandClock());
    const io = read(7, 'mysqld');
    const all = [{ ...io, identity: { ...io.identity, via: 'kworker/u8:1' } }];
    expect(inFlightRows(all, filter('via~kworker'), info)).toMatchObject([
      { comm: 'mysqld', via: 'kworker/u8:1' },
    ]);
  });

  it('rows of I/O in flight stay where the filter asks for what only a completion tells', () => {
    expect(ownersPassing(filter('lat>10s comm=rsync'))).toEqual(['rsync']);
  });
});
