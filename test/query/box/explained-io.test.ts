import { describe, expect, it } from 'vitest';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { createHistory } from '../../../src/history/history.ts';
import { callFlags } from '../../../src/model/call.ts';
import { explainedIo } from '../../../src/query/box/explained-io.ts';
import { latestIos } from '../../../src/query/slowest/latest-ios.ts';
import { parsed } from '../../filter/fixtures.ts';
import { columnsOf, createInfo, keyOf } from '../../history/fixtures.ts';

const DB = { tgid: 7, tid: 8, comm: 'db' };

/** Two fsyncs, of 200 and of 50 ns, each with a write of its thread. */
function history() {
  const keys = [
    keyOf({ ...DB, cmdFlags: callFlags('fsync'), layer: 'calls' }),
    keyOf({ ...DB, cmdFlags: 1 }),
  ];
  const info = createInfo(keys);
  const found = createHistory({ info, budgetBytes: 1 << 24 });
  const [fsync, write] = keys.map((key) => info.identities.intern(key));
  const row = { queueNs: 0, bytes: 0 };
  found.append(
    columnsOf([
      { ...row, completeNs: 240, deviceNs: 120, key: write! },
      { ...row, completeNs: 300, deviceNs: 200, key: fsync! },
      { ...row, completeNs: 390, deviceNs: 20, key: write! },
      { ...row, completeNs: 400, deviceNs: 50, key: fsync! },
    ]),
  );
  const names = { ...info, devices: () => [] };
  return {
    found,
    names,
    filterOf: (text: string) => compileFilter(parsed(text), info.identities, info),
  };
}

describe('an explained row of the list of single calls', () => {
  it('an explained row of the list of single calls is the one that the list has there, whether or not it is the slowest', () => {
    const { found, names, filterOf } = history();
    const filter = filterOf('layer=calls');
    const { ios } = latestIos(found, 1000, filter, names);
    for (const back of [0, 1]) {
      const explained = explainedIo(found, { endNs: 1000, back }, filter, names)!;
      expect(explained.io).toEqual(ios.at(-1 - back));
    }
    const last = explainedIo(found, { endNs: 1000, back: 0 }, filter, names)!.waitedFor!;
    expect([last.totalNs, last.deviceNs, last.outsideNs]).toEqual([50, 20, 30]);
    const slowest = explainedIo(found, { endNs: 1000, back: 1 }, filter, names)!.waitedFor!;
    expect([slowest.totalNs, slowest.deviceNs, slowest.outsideNs]).toEqual([200, 120, 80]);
  });

  it('an explained row of I/O has no parts, and beyond the first row there is none', () => {
    const { found, names, filterOf } = history();
    const io = explainedIo(found, { endNs: 1000, back: 0 }, filterOf('layer=disks'), names)!;
    expect([io.io.completeNs, io.waitedFor]).toEqual([390, undefined]);
    expect(
      explainedIo(found, { endNs: 1000, back: 2 }, filterOf('layer=calls'), names),
    ).toBeUndefined();
  });
});
