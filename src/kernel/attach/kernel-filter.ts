import { OP_CLASSES, opClassIndex, type OpClass } from '../../model/operation.ts';
import { inWords } from '../abi/in-words.ts';
import { Control, Filter } from '../abi/layout.ts';

const CONTROL = inWords(Control.offsets);
const FILTER = inWords(Filter.offsets);
const FILTER_WORDS = Filter.bytes / 4;

/** The kernel programs record I/O that matches all three lists. An absent list matches everything. */
export interface KernelFilter {
  readonly devs?: readonly number[];
  readonly tgids?: readonly number[];
  readonly opClasses?: readonly OpClass[];
}

/**
 * Writes the filter where the running programs read it. There are two copies, and only the unused one is written, so
 * that each I/O is tested with the old filter or the new one, never with a mixture.
 */
export class FilterWriter {
  constructor(private readonly words: Uint32Array) {}

  /**
   * Returns false when a list does not fit in the kernel's table. That list is then left out: more I/O is recorded
   * than was requested, and the caller filters again.
   */
  write(filter: KernelFilter): boolean {
    const bank = 1 - this.words[CONTROL.activeFilter]!;
    const at = CONTROL.filters + bank * FILTER_WORDS;
    const { devs = [], tgids = [], opClasses = [] } = filter;
    const devsFit = this.writeList(at + FILTER.devCount, at + FILTER.devs, devs);
    const tgidsFit = this.writeList(at + FILTER.tgidCount, at + FILTER.tgids, tgids);
    const mask = opClasses.reduce((bits, name) => bits | (1 << OP_CLASSES.indexOf(name)), 0);
    this.words[at + FILTER.opClasses] = mask;
    this.words[at + FILTER.enabled] = Number(devs.length > 0 || tgids.length > 0 || mask !== 0);
    Atomics.store(this.words, CONTROL.activeFilter, bank);
    return devsFit && tgidsFit;
  }

  /** Whether an I/O matches the filter in use. */
  passes({ dev, tgid, op }: { dev: number; tgid: number; op: number }): boolean {
    const { words } = this;
    const at = CONTROL.filters + words[CONTROL.activeFilter]! * FILTER_WORDS;
    if (words[at + FILTER.enabled] === 0) return true;
    const mask = words[at + FILTER.opClasses]!;
    if (mask !== 0 && ((mask >>> opClassIndex(op)) & 1) === 0) return false;
    return (
      this.isListed(at + FILTER.devCount, at + FILTER.devs, dev) &&
      this.isListed(at + FILTER.tgidCount, at + FILTER.tgids, tgid)
    );
  }

  /** Whether all I/O of a disk matches. */
  passesAllOf(dev: number): boolean {
    const { words } = this;
    const at = CONTROL.filters + words[CONTROL.activeFilter]! * FILTER_WORDS;
    if (words[at + FILTER.enabled] === 0) return true;
    if (words[at + FILTER.opClasses] !== 0 || words[at + FILTER.tgidCount] !== 0) return false;
    return this.isListed(at + FILTER.devCount, at + FILTER.devs, dev);
  }

  /** An empty list matches everything. */
  private isListed(countAt: number, listAt: number, value: number): boolean {
    const count = this.words[countAt]!;
    return count === 0 || this.words.subarray(listAt, listAt + count).includes(value);
  }

  private writeList(countAt: number, listAt: number, values: readonly number[]): boolean {
    const fits = values.length <= Filter.lengths.devs;
    if (fits) this.words.set(values, listAt);
    this.words[countAt] = fits ? values.length : 0;
    return fits;
  }
}
