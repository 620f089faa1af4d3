import type { Result } from '../base/result.ts';
import { ExitCode, err, ok } from '../base/result.ts';
import { packDevice } from '../model/device.ts';
import type { DeviceInfo } from '../model/device.ts';
import type { Filter } from '../model/filter.ts';
import type { Options } from './options.ts';

/** The filter of `--disk`, `--pid` and `--op`; `disks` are those that names can mean. */
export function filterFromOptions(
  { disks: names, pids, ops }: Pick<Options, 'disks' | 'pids' | 'ops'>,
  disks: readonly DeviceInfo[],
): Result<Filter> {
  const devs: number[] = [];
  for (const name of names.flatMap((word) => word.split(','))) {
    const dev = findDisk(name, disks);
    if (!dev.ok) return dev;
    devs.push(dev.value);
  }
  return ok({
    ...(devs.length > 0 && { devs: { values: devs } }),
    ...(pids.length > 0 && { tgids: { values: pids } }),
    ...(ops.length > 0 && { opClasses: { values: ops } }),
  });
}

function findDisk(word: string, disks: readonly DeviceInfo[]): Result<number> {
  const numbers = /^(\d{1,4}):(\d{1,7})$/.exec(word);
  if (numbers !== null) return ok(packDevice(Number(numbers[1]), Number(numbers[2])));
  const name = word.replace(/^\/dev\//, '');
  const disk = disks.find((one) => one.name === name);
  if (disk !== undefined) return ok(disk.dev);
  return err({
    exitCode: ExitCode.usage,
    what: `no disk named "${word}"`,
    why: `there are ${disks.map((one) => one.name).join(', ') || 'none'}`,
    remedy: 'name a whole disk, or give its number as major:minor',
  });
}
