import { OP_CLASSES, opClassIndex, type OpClass } from '../../model/operation.ts';
import { inWords } from '../abi/in-words.ts';
import { Control, Filter, FilterList } from '../abi/layout.ts';

const CONTROL = inWords(Control.offsets);
const FILTER = inWords(Filter.offsets);
const LIST = inWords(FilterList.offsets);
const FILTER_WORDS = Filter.bytes / 4;

/**
 * The kernel programs record I/O that matches all lists: whose disk and process are listed, or, of excluded ones, not
 * listed. An absent list matches everything. A field has one list at most.
 */
export interface KernelFilter {
  readonly devs?: readonly number[];
  readonly excludedDevs?: readonly number[];
  readonly tgids?: readonly number[];
  readonly excludedTgids?: readonly number[];
  readonly opClasses?: readonly OpClass[];
}

/** The filter without the lists that do not fit in the kernel's tables: it passes more. */
export function fittingFilter(filter: KernelFilter): KernelFilter {
  const fits = ([name, list]: [string, readonly unknown[]]): boolean =>
    name === 'opClasses' || list.length <= FilterList.lengths.values;
  return Object.fromEntries(Object.entries(filter).filter(fits));
}

/**
 * Writes the filter where the running programs read it. There are two copies, and only the unused one is written, so
 * that each I/O is tested with the old filter or the new one, never with a mixture.
 */
export class FilterWriter {
  constructor(private readonly words: Uint32Array) {}

  /** Returns what is written, see `fittingFilter`. Where that passes more than `filter`, the caller filters again. */
  write(filter: KernelFilter): KernelFilter {
    const written = fittingFilter(filter);
    const bank = 1 - this.words[CONTROL.activeFilter]!;
    const at = CONTROL.filters + bank * FILTER_WORDS;
    const { devs, excludedDevs, tgids, excludedTgids, opClasses = [] } = written;
    const hasDevs = this.writeList(at + FILTER.devs, devs, excludedDevs);
    const hasTgids = this.writeList(at + FILTER.tgids, tgids, excludedTgids);
    const mask = opClasses.reduce((bits, name) => bits | (1 << OP_CLASSES.indexOf(name)), 0);
    this.words[at + FILTER.opClasses] = mask;
    this.words[at + FILTER.enabled] = Number(hasDevs || hasTgids || mask !== 0);
    Atomics.store(this.words, CONTROL.activeFilter, bank);
    return written;
  }

  /** Whether an I/O matches the filter in use. */
  passes({ dev, tgid, op }: { dev: number; tgid: number; op: number }): boolean {
    const { words } = this;
    const at = CONTROL.filters + words[CONTROL.activeFilter]! * FILTER_WORDS;
    if (words[at + FILTER.enabled] === 0) return true;
    const mask = words[at + FILTER.opClasses]!;
    if (mask !== 0 && ((mask >>> opClassIndex(op)) & 1) === 0) return false;
    return this.listPasses(at + FILTER.devs, dev) && this.listPasses(at + FILTER.tgids, tgid);
  }

  /** Whether all I/O of a disk matches. */
  passesAllOf(dev: number): boolean {
    const { words } = this;
    const at = CONTROL.filters + words[CONTROL.activeFilter]! * FILTER_WORDS;
    if (words[at + FILTER.enabled] === 0) return true;
    if (words[at + FILTER.opClasses] !== 0 || words[at + FILTER.tgids + LIST.count] !== 0)
      return false;
    return this.listPasses(at + FILTER.devs, dev);
  }

  /** An empty list matches everything. */
  private listPasses(at: number, value: number): boolean {
    const count = this.words[at + LIST.count]!;
    const values = this.words.subarray(at + LIST.values, at + LIST.values + count);
    return count === 0 || values.includes(value) !== (this.words[at + LIST.excludes] === 1);
  }

  /** Returns whether the list has anything. */
  private writeList(
    at: number,
    listed: readonly number[] = [],
    excluded: readonly number[] = [],
  ): boolean {
    const values = listed.length > 0 ? listed : excluded;
    this.words[at + LIST.count] = values.length;
    this.words[at + LIST.excludes] = Number(listed.length === 0);
    this.words.set(values, at + LIST.values);
    return values.length > 0;
  }
}
