import { describe, expect, it } from 'vitest';
import { formatFilter } from '../../src/filter/language/format.ts';
import { asksLayer, withoutLayer } from '../../src/filter/layer.ts';
import { compileInLayer } from '../../src/filter/match/match.ts';
import { Verdict } from '../../src/filter/verdict.ts';
import { createColumns } from '../../src/model/completion-columns.ts';
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

  it('matches all until another layer comes, and then only its own', () => {
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

  it('matches nothing where only other layers have come', () => {
    const identities = new IdentityTable();
    const disk = identities.intern(IO);
    const compiled = compileInLayer(parsed('op=read'), 'volumes', identities, NAMES);
    expect([compiled.passesAll, compiled.judge(disk)]).toEqual([false, Verdict.no]);
    expect(formatFilter(compiled.filter)).toBe('op=read');
  });
});
