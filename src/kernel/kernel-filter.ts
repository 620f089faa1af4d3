import { OP_CLASSES, opClassIndex, type OpClass } from '../model/operation.ts';
import { Control, FILTER_ENTRIES } from './layout.ts';

/** What the kernel programs let through: a conjunction, in which an absent list lets all pass. */
export interface KernelFilter {
  readonly devs?: readonly number[];
  readonly tgids?: readonly number[];
  readonly opClasses?: readonly OpClass[];
}

/**
 * Writes the filter where the running programs read it. There are two copies: the one in use is never
 * written, so an I/O is judged by the old filter or by the new one.
 */
export class FilterWriter {
  constructor(private readonly words: Uint32Array) {}

  /**
   * Returns false when a list is too long for the kernel. It is then left out, so more passes than was
   * asked for and the caller has to filter again.
   */
  write(filter: KernelFilter): boolean {
    const bank = 1 - this.words[Control.words.activeFilter]!;
    const at = Control.words.filters + bank * Control.filter.words;
    const { devs = [], tgids = [], opClasses = [] } = filter;
    const devsFit = this.writeList(at + Control.filter.devCount, at + Control.filter.devs, devs);
    const tgidsFit = this.writeList(
      at + Control.filter.tgidCount,
      at + Control.filter.tgids,
      tgids,
    );
    const mask = opClasses.reduce((bits, name) => bits | (1 << OP_CLASSES.indexOf(name)), 0);
    this.words[at + Control.filter.opClasses] = mask;
    this.words[at + Control.filter.enabled] = Number(
      devs.length > 0 || tgids.length > 0 || mask !== 0,
    );
    Atomics.store(this.words, Control.words.activeFilter, bank);
    return devsFit && tgidsFit;
  }

  /** Whether the programs let an I/O through, by the filter that is in use. */
  passes({ dev, tgid, op }: { dev: number; tgid: number; op: number }): boolean {
    const { words } = this;
    const at = Control.words.filters + words[Control.words.activeFilter]! * Control.filter.words;
    const { filter } = Control;
    if (words[at + filter.enabled] === 0) return true;
    const mask = words[at + filter.opClasses]!;
    if (mask !== 0 && ((mask >>> opClassIndex(op)) & 1) === 0) return false;
    return (
      this.isListed(at + filter.devCount, at + filter.devs, dev) &&
      this.isListed(at + filter.tgidCount, at + filter.tgids, tgid)
    );
  }

  /** Whether all I/O of a disk is let through. */
  passesAllOf(dev: number): boolean {
    const { words } = this;
    const at = Control.words.filters + words[Control.words.activeFilter]! * Control.filter.words;
    const { filter } = Control;
    if (words[at + filter.enabled] === 0) return true;
    if (words[at + filter.opClasses] !== 0 || words[at + filter.tgidCount] !== 0) return false;
    return this.isListed(at + filter.devCount, at + filter.devs, dev);
  }

  /** An empty list lets all pass. */
  private isListed(countAt: number, listAt: number, value: number): boolean {
    const count = this.words[countAt]!;
    return count === 0 || this.words.subarray(listAt, listAt + count).includes(value);
  }

  private writeList(countAt: number, listAt: number, values: readonly number[]): boolean {
    const fits = values.length <= FILTER_ENTRIES;
    if (fits) this.words.set(values, listAt);
    this.words[countAt] = fits ? values.length : 0;
    return fits;
  }
}
