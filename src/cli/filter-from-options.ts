import type { Result } from '../base/result.ts';
import { ExitCode, err, ok } from '../base/result.ts';
import { parseDeviceNumber } from '../model/device.ts';
import type { DeviceInfo } from '../model/device.ts';
import { allOf, term } from '../filter/filter.ts';
import type { Filter } from '../filter/filter.ts';
import type { Options } from './options.ts';

/**
 * The filter of `--disk`, `--pid`, `--op` and `--filter`; `disks` are those that names can mean,
 * undefined where they are not known yet.
 */
export function filterFromOptions(
  options: Pick<Options, 'disks' | 'pids' | 'ops' | 'filter'>,
  disks: readonly DeviceInfo[] | undefined,
): Result<Filter> {
  const { pids, ops } = options;
  const names: string[] = [];
  for (const word of options.disks.flatMap((list) => list.split(','))) {
    const name = checkDisk(word, disks);
    if (!name.ok) return name;
    names.push(name.value);
  }
  const terms = [term('disk', '=', ...names), term('pid', '=', ...pids), term('op', '=', ...ops)];
  return ok(allOf([...terms.filter(({ values }) => values.length > 0), options.filter]));
}

function checkDisk(word: string, disks: readonly DeviceInfo[] | undefined): Result<string> {
  const name = word.replace(/^\/dev\//, '');
  if (disks === undefined) return ok(name);
  const isKnown = disks.some((one) => one.name === name);
  if (isKnown || parseDeviceNumber(name) !== undefined) return ok(name);
  return err({
    exitCode: ExitCode.usage,
    what: `no disk named "${word}"`,
    why: `there are ${disks.map((one) => one.name).join(', ') || 'none'}`,
    remedy: 'name a whole disk, or give its number as major:minor',
  });
}
