import { describe, expect, it } from 'vitest';
import { formatFilter } from '../../src/filter/language/format.ts';
import { asksLayer, withoutLayer } from '../../src/filter/layer.ts';
import { innerVolumes } from '../../src/filter/match/inner-volumes.ts';
import { compileInLayer } from '../../src/filter/match/match.ts';
import { Verdict } from '../../src/filter/verdict.ts';
import { createColumns } from '../../src/model/completion-columns.ts';
import type { DeviceInfo } from '../../src/model/device.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import { parsed } from './fixtures.ts';

const IO = { dev: 1, cmdFlags: 0, tgid: 7, tid: 7, comm: '', cgroup: 0, error: 0, marks: 0 };
const NAMES = { device: () => undefined };

describe('a filter of one layer', () => {
  it.each([
    ['layer=volumes', 'volumes', ''],
    ['op=read layer=disks lat>1ms', 'disks', 'op=read lat>1ms'],
    ['layer=disks,volumes', undefined, 'layer=disks,volumes'],
    ['layer=disks or op=read', undefined, 'layer=disks or op=read'],
    ['op=read', undefined, 'op=read'],
    ['', undefined, ''],
  ])('%s asks for the layer %s', (text, layer, rest) => {
    const found = withoutLayer(parsed(text));
    expect(found.layer).toBe(layer);
    expect(formatFilter(found.filter)).toBe(rest);
    expect(asksLayer(parsed(text))).toBe(text.includes('layer'));
  });

  it('a filter of one layer matches all until another layer comes, and then only its own', () => {
    const identities = new IdentityTable();
    const compiled = compileInLayer(parsed(''), 'disks', identities, NAMES);
    const disk = identities.intern(IO);
    expect([compiled.passesAll, compiled.judge(disk)]).toEqual([true, Verdict.yes]);
    const volume = identities.intern({ ...IO, layer: 'volumes' });
    expect(compiled.passesAll).toBe(false);
    expect([compiled.judge(disk), compiled.judge(volume)]).toEqual([Verdict.yes, Verdict.no]);
    const rows = createColumns(3);
    rows.identity.set([disk, volume, disk]);
    rows.length = 3;
    expect([...compiled.judgeRows(rows, 0, 3)]).toEqual([Verdict.yes, Verdict.no, Verdict.yes]);
    expect(formatFilter(compiled.filter)).toBe('');
  });

  it('a filter of one layer matches nothing where only other layers have come', () => {
    const identities = new IdentityTable();
    const disk = identities.intern(IO);
    const compiled = compileInLayer(parsed('op=read'), 'volumes', identities, NAMES);
    expect([compiled.passesAll, compiled.judge(disk)]).toEqual([false, Verdict.no]);
    expect(formatFilter(compiled.filter)).toBe('op=read');
  });
});

describe('the volumes that another one lies on', () => {
  const [MD, CRYPT, DATA] = [10, 11, 12];
  const DEVICES = new Map<number, DeviceInfo>([
    [MD, { dev: MD, name: 'md0', volumes: ['cryptroot', 'vg0-data'] }],
    [CRYPT, { dev: CRYPT, name: 'cryptroot', kernelName: 'dm-0', volumes: ['vg0-data'] }],
    [DATA, { dev: DATA, name: 'vg0-data', liesOn: ['cryptroot'], mounts: ['/srv'] }],
  ]);
  const names = { device: (dev: number) => DEVICES.get(dev) };

  it.each([
    ['', [MD, CRYPT]],
    ['op=read comm=fio', [MD, CRYPT]],
    ['volume=md0', []],
    ['volume=md0,cryptroot', [MD]],
    ['not volume=vg0-data', [MD]],
    ['disk~dm op=read', []],
    ['mount=/srv', []],
    ['disk=md0 or op=read', [MD, CRYPT]],
  ])('the volumes that another one lies on are of those that %s asks for', (text, expected) => {
    const identities = new IdentityTable();
    for (const dev of [MD, CRYPT, DATA]) identities.intern({ ...IO, dev, layer: 'volumes' });
    expect([...innerVolumes(parsed(text), identities, names)]).toEqual(expected);
  });

  it('the volumes that another one lies on are none as long as the volume on them has no I/O, nor in the layer of disks', () => {
    const identities = new IdentityTable();
    identities.intern({ ...IO, dev: MD, layer: 'volumes' });
    identities.intern({ ...IO, dev: DATA });
    expect([...innerVolumes(parsed(''), identities, names)]).toEqual([]);
  });

  it('the volumes that another one lies on are found from below where the list of what is on them is cut', () => {
    const identities = new IdentityTable();
    const cut = new Map(DEVICES).set(CRYPT, { dev: CRYPT, name: 'cryptroot' });
    for (const dev of [CRYPT, DATA]) identities.intern({ ...IO, dev, layer: 'volumes' });
    const inner = innerVolumes(parsed(''), identities, { device: (dev) => cut.get(dev) });
    expect([...inner]).toEqual([CRYPT]);
  });

  it('the volumes that another one lies on are left out as soon as it is known on which it lies', () => {
    const identities = new IdentityTable();
    const later = new Map<number, DeviceInfo>();
    const compiled = compileInLayer(parsed(''), 'volumes', identities, {
      device: (dev) => later.get(dev),
    });
    const [below, above] = [CRYPT, DATA].map((dev) =>
      identities.intern({ ...IO, dev, layer: 'volumes' }),
    );
    expect([compiled.judge(below!), compiled.judge(above!)]).toEqual([Verdict.yes, Verdict.yes]);
    later.set(CRYPT, { dev: CRYPT, name: 'cryptroot' });
    later.set(DATA, { dev: DATA, name: 'vg0-data', liesOn: ['cryptroot'] });
    const rows = createColumns(2);
    rows.identity.set([below!, above!]);
    rows.length = 2;
    expect([...compiled.judgeRows(rows, 0, 2)]).toEqual([Verdict.no, Verdict.yes]);
    expect([compiled.judge(below!), compiled.judge(above!)]).toEqual([Verdict.no, Verdict.yes]);
  });
});
