import { describe, expect, it } from 'vitest';
import { filterFromOptions } from '../../../src/app/open/filter-from-options.ts';
import type { Options } from '../../../src/app/options/options.ts';
import { packDevice } from '../../../src/model/device.ts';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import { formatFilter } from '../../../src/filter/language/format.ts';
import { parsed } from '../../filter/fixtures.ts';
import { must } from '../../must.ts';

const disks = ['sda', 'nvme0n1'].map((name, minor) => ({ dev: packDevice(8, minor), name }));

function filterOf(changes: Partial<Options>): string {
  const options = { disks: [], pids: [], ops: [], filter: NO_FILTER, ...changes };
  const filter = must(filterFromOptions(options, disks));
  return formatFilter(filter);
}

describe('the filter of the command line', () => {
  it('without filter options, the filter is empty', () => {
    expect(filterOf({})).toBe('');
  });

  it('the filter from the command line combines all filter options', () => {
    const filter = parsed('lat>1ms or size>=1m');
    expect(filterOf({ disks: ['sda'], pids: [1, 2], ops: ['read', 'flush'], filter })).toBe(
      'disk=sda pid=1,2 op=read,flush (lat>1ms or size>=1m)',
    );
    expect(filterOf({ ops: ['read'], filter: parsed('disk=sdz lat>1ms') })).toBe(
      'op=read disk=sdz lat>1ms',
    );
  });

  it('--disk accepts names, paths, lists and device numbers', () => {
    expect(filterOf({ disks: ['/dev/sda,nvme0n1', '8:1'] })).toBe('disk=sda,nvme0n1,8:1');
  });

  it('a filter on a disk that does not exist is refused with the disks that do', () => {
    expect(() => filterOf({ disks: ['sbd'] })).toThrow(
      'no disk named "sbd": there are sda, nvme0n1',
    );
  });

  it.each([
    ['sad', 'did you mean sda?'],
    ['nvme0', 'did you mean nvme0n1?'],
    ['vdc9', 'use the name of a whole disk, or its number as major:minor'],
  ])('the disk %s, which does not exist, is refused with what to type', (typed, remedy) => {
    const options = { disks: [typed], pids: [], ops: [], filter: NO_FILTER };
    const disks = ['sda', 'nvme0n1'].map((name, minor) => ({ dev: packDevice(8, minor), name }));
    expect(filterFromOptions(options, disks)).toMatchObject({ error: { exitCode: 2, remedy } });
  });

  it('a filter on a device number that no disk has is refused with the disks there are', () => {
    expect(() => filterOf({ disks: ['999:999'] })).toThrow(
      'no disk with number "999:999": there are sda, nvme0n1',
    );
  });

  it('an error about a disk among many names the eight most similar', () => {
    const many = Array.from({ length: 74 }, (_, minor) => ({
      dev: packDevice(7, minor),
      name: minor === 50 ? 'sda' : `loop${minor}`,
    }));
    const options = { disks: ['sdb'], pids: [], ops: [], filter: NO_FILTER };
    const filter = filterFromOptions(options, many);
    expect(filter).toMatchObject({
      error: {
        exitCode: 2,
        why: 'there are sda, loop0, loop1, loop2, loop3, loop4, loop5, loop6 and 66 more',
      },
    });
  });
});
