import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packDevice } from '../../../src/model/device.ts';
import { completeFilter, knownTexts } from '../../../src/filter/language/complete.ts';
import { FILTER_FIELDS } from '../../../src/filter/fields.ts';
import { parseFilter } from '../../../src/filter/language/parse.ts';
import { IdentityMark } from '../../../src/model/identity.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';

const identities = new IdentityTable();
const base = { cmdFlags: 0, cgroup: 7, error: 0, marks: 0 };
identities.intern({ ...base, dev: packDevice(8, 16), tgid: 812, tid: 813, comm: 'mysqld' });
identities.intern({ ...base, dev: packDevice(8, 0), tgid: 812, tid: 814, comm: 'mysqld' });
identities.intern({ ...base, dev: packDevice(8, 0), tgid: 90, tid: 90, comm: 'Web Content' });
identities.intern({
  ...base,
  dev: packDevice(7, 0),
  tgid: 0,
  tid: 0,
  comm: '',
  marks: IdentityMark.ownerUnknown,
});
const disks = [
  { dev: packDevice(8, 0), name: 'sda', model: 'Fast SSD' },
  { dev: packDevice(8, 16), name: 'sdb' },
];
const known = knownTexts(identities, { device: (dev) => disks.find((disk) => disk.dev === dev) });

/** Completes at the `|`; each candidate as the whole text would then be. */
function completed(marked: string): string[] {
  const cursor = marked.indexOf('|');
  const text = marked.replace('|', '');
  const { from, candidates } = completeFilter(text, cursor, known);
  return candidates.map((one) => `${text.slice(0, from)}${one.text}${text.slice(cursor)}`);
}

describe('completion', () => {
  it('completion offers every field at the start, and after a condition what joins it to the next', () => {
    expect(completed('|')).toEqual([
      ...FILTER_FIELDS.map(({ name, usual }) => `${name}${usual}`),
      'not ',
    ]);
    expect(completed('op=read |').slice(-3)).toEqual([
      'op=read not ',
      'op=read or ',
      'op=read and ',
    ]);
  });

  it('completion finishes a field name, also from its alias, and adds the usual comparison', () => {
    expect(completed('di|')).toEqual(['disk=']);
    expect(completed('op=read la|')).toEqual(['op=read layer=', 'op=read lat>']);
    expect(completed('(not de|')).toEqual(['(not disk=', '(not dlat>']);
    expect(completed('no|')).toEqual(['not ']);
    expect(completed('op=read o|')).toEqual([
      ...['op=', 'owner=', 'offset<', 'or '].map((rest) => `op=read ${rest}`),
    ]);
  });

  it('completion offers comparisons after a complete field name', () => {
    expect(completed('disk|')).toEqual(['disk=', 'disk!=', 'disk~', 'disk!~']);
    expect(completed('lat |')[0]).toBe('lat >');
  });

  it('completion offers values that were seen: first what starts as typed, then what contains it', () => {
    expect(completed('disk=|')).toEqual(['disk=7:0', 'disk=sda', 'disk=sdb']);
    expect(completed('disk=sda,|')).toEqual(['disk=sda,7:0', 'disk=sda,sda', 'disk=sda,sdb']);
    expect(completed('pid=|')).toEqual(['pid=90', 'pid=812']);
    expect(completed('comm~con|')).toEqual(['comm~"Web Content"']);
    expect(completed('comm="We|')).toEqual(['comm="Web Content"']);
    expect(completed('op=d|')).toEqual(['op=discard', 'op=read']);
    expect(completed('error=|').slice(0, 3)).toEqual(['error=any', 'error=none', 'error=5']);
    expect(completed('lat>1|')).toEqual([
      ...['100us', '1ms', '10ms', '100ms', '1s'].map((value) => `lat>${value}`),
    ]);
  });

  it('completion replaces the word before the cursor and keeps what follows', () => {
    expect(completed('op=w| disk=sda')).toEqual(['op=write disk=sda']);
  });

  it('completion says what each candidate means', () => {
    const descriptions = (text: string) =>
      completeFilter(text, text.length, known).candidates.map(({ description }) => description);
    expect(descriptions('pid=8')).toEqual(['mysqld']);
    expect(descriptions('disk=sda')).toEqual(['Fast SSD']);
    expect(descriptions('flag=fu')).toEqual(['forced unit access: bypasses the write cache']);
    expect(descriptions('comm=my')).toEqual(['pid 812']);
  });

  it('completion offers nothing where nothing fits', () => {
    for (const text of ['colour=|', 'disk=sda) = |', 'op op|', 'lat> , |', 'pid=x|'])
      expect(completed(text)).toEqual([]);
  });

  it('completing step by step always leads to a text that parses', () => {
    for (const { name, kind } of FILTER_FIELDS) {
      const [text = ''] = completed(`${name}|`);
      const [whole = `${text}8`] = kind === 'sectors' ? [] : completed(`${text}|`);
      expect(parseFilter(whole)).toMatchObject({ ok: true });
    }
  });

  it('completion accepts any text and any cursor position', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.nat(45), (text, cursor) => {
        const { from, candidates } = completeFilter(text, Math.min(cursor, text.length), known);
        expect(from).toBeLessThanOrEqual(cursor);
        expect(candidates.every((one) => one.text !== '')).toBe(true);
      }),
    );
  });
});
