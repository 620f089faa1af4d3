import { describe, expect, it } from 'vitest';
import { filterFromOptions } from '../../src/cli/filter-from-options.ts';
import type { Options } from '../../src/cli/options.ts';
import { packDevice } from '../../src/model/device.ts';
import { NO_FILTER } from '../../src/filter/filter.ts';
import { formatFilter } from '../../src/filter/language/format.ts';
import { parsed } from '../filter/fixtures.ts';

const disks = ['sda', 'nvme0n1'].map((name, minor) => ({ dev: packDevice(8, minor), name }));

function filterOf(changes: Partial<Options>): string {
  const options = { disks: [], pids: [], ops: [], filter: NO_FILTER, ...changes };
  const filter = filterFromOptions(options, disks);
  if (!filter.ok) throw new Error(`${filter.error.what}: ${filter.error.why ?? ''}`);
  return formatFilter(filter.value);
}

describe('the filter of the command line', () => {
  it('is nothing when nothing is said', () => {
    expect(filterOf({})).toBe('');
  });

  it('asks for all that the options ask for', () => {
    const filter = parsed('lat>1ms or size>=1m');
    expect(filterOf({ disks: ['sda'], pids: [1, 2], ops: ['read', 'flush'], filter })).toBe(
      'disk=sda pid=1,2 op=read,flush (lat>1ms or size>=1m)',
    );
    expect(filterOf({ ops: ['read'], filter: parsed('disk=sdz lat>1ms') })).toBe(
      'op=read disk=sdz lat>1ms',
    );
  });

  it('takes disks as people write them, several at once, and by number', () => {
    expect(filterOf({ disks: ['/dev/sda,nvme0n1', '8:1'] })).toBe('disk=sda,nvme0n1,8:1');
  });

  it('knows a disk that is not there by its being told so', () => {
    expect(() => filterOf({ disks: ['sbd'] })).toThrow(
      'no disk named "sbd": there are sda, nvme0n1',
    );
  });

  it('knows a number that no disk has', () => {
    expect(() => filterOf({ disks: ['999:999'] })).toThrow(
      'no disk with the number "999:999": there are sda, nvme0n1',
    );
  });

  it('names eight of many disks, the likeliest first', () => {
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
