import type { Result } from '../../base/result.ts';
import { ExitCode, err, ok } from '../../base/result.ts';
import { parseDeviceNumber } from '../../model/device.ts';
import type { DeviceInfo } from '../../model/device.ts';
import { allOf, term } from '../../filter/filter.ts';
import type { Filter } from '../../filter/filter.ts';
import { byNearness, nearest } from '../../filter/language/words.ts';
import { quoted } from '../../base/quote.ts';
import type { Options } from '../options/options.ts';

/**
 * The filter of `--disk`, `--pid`, `--op` and `--filter`; `disks` are the known disks, undefined where
 * they are not known yet.
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
  const name = word.replace(/^\/dev\/(mapper\/)?/, '');
  if (disks === undefined) return ok(name);
  const number = parseDeviceNumber(name);
  const isKnown = disks.some(
    (one) => one.name === name || one.kernelName === name || one.dev === number,
  );
  if (isKnown) return ok(name);
  const meant = diskMeantBy(name, disks);
  return err({
    exitCode: ExitCode.usage,
    what: `--disk: no disk ${number === undefined ? 'named' : 'with number'} ${quoted(word)}`,
    why: `there ${diskList(name, disks)}`,
    remedy: meant === undefined ? HOW_TO_NAME : `did you mean ${meant}?`,
  });
}

const HOW_TO_NAME = 'use the name of a whole disk, or its number as major:minor';

/** The disk whose name the word is a typo of, or the start of. */
function diskMeantBy(word: string, disks: readonly DeviceInfo[]): string | undefined {
  const names = disks.map((one) => one.name);
  const begun = names.filter((name) => word !== '' && name.startsWith(word));
  return begun.length === 1 ? begun[0] : nearest(word, names);
}

/** Disks to name in a message: more are not read in one line. */
const MAX_NAMED = 8;

/** The names of disks for a message, the most likely ones first. */
function diskList(word: string, disks: readonly DeviceInfo[]): string {
  const names = byNearness(
    word,
    disks.map((one) => one.name),
  );
  if (names.length === 0) return 'are none';
  const rest = names.length - MAX_NAMED;
  const more = rest > 0 ? ` and ${rest} more` : '';
  return `${names.length === 1 ? 'is' : 'are'} ${names.slice(0, MAX_NAMED).join(', ')}${more}`;
}
