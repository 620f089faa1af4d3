import { isDeepStrictEqual } from 'node:util';
import { allOf, term } from '../../filter/filter.ts';
import type { Filter, TermValue } from '../../filter/filter.ts';
import { formatFilter } from '../../filter/language/format.ts';
import { kernelPart } from '../../filter/match/kernel-filter.ts';
import type { KernelPart } from '../../filter/match/kernel-filter.ts';
import type { LiveSource } from '../../kernel/live/live-source.ts';
import type { FieldName } from '../../filter/fields.ts';
import type { Operator } from '../../filter/operators.ts';
import { deviceName } from '../../model/device.ts';
import type { DeviceNames } from '../../model/device.ts';

/** The filter of the command line, as far as the kernel programs evaluate it. */
export class StartFilter {
  /** What is recorded, as a filter; empty for everything. No later filter brings back the rest. */
  readonly recordedOnly: string;
  private part: KernelPart;
  private readonly limitsDisks: boolean;

  constructor(
    private readonly filter: Filter,
    private readonly source: Pick<LiveSource, 'info' | 'setFilter'>,
  ) {
    this.part = this.partNow();
    const written = source.setFilter(this.part);
    this.limitsDisks = (written.devs ?? written.excludedDevs) !== undefined;
    this.recordedOnly = describe(written, source.info);
  }

  /**
   * The kernel gives the number of a disk that is gone to the next one, which has another name. Does not limit the disks
   * where `recordedOnly` does not.
   */
  followDisks(): void {
    if (!this.limitsDisks) return;
    const part = this.partNow();
    if (isDeepStrictEqual(part, this.part)) return;
    this.part = part;
    this.source.setFilter(part);
  }

  private partNow(): KernelPart {
    return kernelPart(this.filter, this.source.info.devices());
  }
}

function describe(written: KernelPart, names: DeviceNames): string {
  const { devs, excludedDevs, tgids, excludedTgids, opClasses } = written;
  const listed = (field: FieldName, operator: Operator, values: readonly TermValue[] = []) =>
    term(field, operator, ...new Set(values));
  const nameOf = (dev: number): string => deviceName(names, dev);
  const terms = [
    listed('disk', '=', devs?.map(nameOf)),
    listed('disk', '!=', excludedDevs?.map(nameOf)),
    listed('pid', '=', tgids),
    listed('pid', '!=', excludedTgids),
    listed('op', '=', opClasses),
  ];
  return formatFilter(allOf(terms.filter(({ values }) => values.length > 0)));
}
