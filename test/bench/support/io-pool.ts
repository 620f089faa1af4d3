import { inWords } from '../../../src/kernel/abi/in-words.ts';
import { IoCompletion, Summary } from '../../../src/kernel/abi/layout.ts';
import { fineBin } from '../../../src/model/fine-bins.ts';
import { OP_CLASSES } from '../../../src/model/operation.ts';
import { SeededRandom } from '../../random.ts';

/** Of each simulated disk: sectors per offset bin, as the exponent of a power of two. */
export const OFFSET_SHIFT = 22;
export const OWNERS = 24;
export const FIRST_TGID = 1000;
export const RECORD_WORDS = IoCompletion.bytes / 4;

const IOS = 1 << 14;
const READS = 0.7;
/** One in so many takes twenty times as long. */
const SLOW_ONE_IN = 1000;
const IO = inWords(IoCompletion.offsets);
const { offsets } = Summary;

export interface Sums {
  readonly bytes: number;
  readonly deviceNs: number;
  readonly queueNs: number;
}

/** The I/Os of one class of operations in the pool. */
export interface PoolClass {
  readonly opClass: number;
  readonly count: number;
  readonly sums: Sums;
  /** What they add to the bins of a summary: word, count, word, count and so on. */
  readonly bins: Uint32Array;
  /** The slowest first. */
  readonly slowest: { readonly device: readonly number[]; readonly queue: readonly number[] };
}

/**
 * Some thousand random I/Os of several owners on one disk. The simulated kernel has them complete again and again, all at
 * once: what they add to a summary is known beforehand, so that a second of 20 million costs little.
 */
export class IoPool {
  readonly size = IOS;
  readonly deviceNs = new Float64Array(IOS);
  readonly queueNs = new Float64Array(IOS);
  readonly bytes = new Float64Array(IOS);
  readonly owner = new Uint8Array(IOS);
  /** Records as the kernel programs write them, without their time. */
  readonly records = new Uint32Array(IOS * RECORD_WORDS);
  /** The slowest first, by total latency. */
  readonly slowest: readonly number[];
  readonly classes: readonly PoolClass[];
  /** I/Os by owner. */
  readonly owned = new Float64Array(OWNERS);

  constructor(dev: number, seed: number) {
    const random = new SeededRandom(seed);
    const all = [...Array(IOS).keys()];
    for (const io of all) this.draw(io, dev, random);
    this.slowest = all.toSorted((a, b) => this.totalNs(b) - this.totalNs(a));
    this.classes = ['read', 'write'].map((name) => {
      const opClass = OP_CLASSES.findIndex((one) => one === name);
      return this.classOf(
        opClass,
        all.filter((io) => this.opClassOf(io) === opClass),
      );
    });
  }

  totalNs(io: number): number {
    return this.deviceNs[io]! + this.queueNs[io]!;
  }

  private draw(io: number, dev: number, random: SeededRandom): void {
    const owner = Math.floor(OWNERS ** random.next()) - 1;
    const isSlow = random.below(SLOW_ONE_IN) === 0;
    const usualNs = 20_000 + 40_000 * -Math.log(1 - random.next());
    this.owner[io] = owner;
    this.owned[owner]! += 1;
    this.deviceNs[io] = Math.round(isSlow ? 20 * usualNs : usualNs);
    this.queueNs[io] = random.below(2000);
    this.bytes[io] = 4096 << random.below(4);
    const at = io * RECORD_WORDS;
    const { records } = this;
    records[at + IO.deviceNs] = this.deviceNs[io]!;
    records[at + IO.queueNs] = this.queueNs[io]!;
    records[at + IO.sector] = random.below(2 ** 30);
    records[at + IO.bytes] = this.bytes[io]!;
    records[at + IO.dev] = dev;
    records[at + IO.cmdFlags] = random.next() < READS ? 0 : 1;
    records[at + IO.tgid] = records[at + IO.tid] = FIRST_TGID + owner;
    records[at + IO.cgroup] = 1;
    const comm = new Uint8Array(records.buffer, 4 * (at + IO.comm), IoCompletion.lengths.comm);
    new TextEncoder().encodeInto(`worker${owner}`, comm);
  }

  private classOf(opClass: number, ios: readonly number[]): PoolClass {
    const counts = new Map<number, number>();
    for (const io of ios)
      for (const word of this.binWords(io)) counts.set(word, (counts.get(word) ?? 0) + 1);
    const by = (ns: Float64Array) => ios.toSorted((a, b) => ns[b]! - ns[a]!);
    const slowest = { device: by(this.deviceNs), queue: by(this.queueNs) };
    const bins = Uint32Array.from([...counts].flat());
    return { opClass, count: ios.length, sums: this.sumsOf(ios), bins, slowest };
  }

  sumsOf(ios: readonly number[]): Sums {
    const sum = (values: Float64Array): number => ios.reduce((all, io) => all + values[io]!, 0);
    return {
      bytes: sum(this.bytes),
      deviceNs: sum(this.deviceNs),
      queueNs: sum(this.queueNs),
    };
  }

  opClassOf(io: number): number {
    return this.records[io * RECORD_WORDS + IO.cmdFlags]!;
  }

  /** The words of a summary that the kernel programs increment for an I/O, except its sums. */
  binWords(io: number): number[] {
    const sector = this.records[io * RECORD_WORDS + IO.sector]!;
    return [
      offsets.device / 4 + fineBin(this.deviceNs[io]!),
      offsets.queue / 4 + fineBin(this.queueNs[io]!),
      offsets.total / 4 + fineBin(this.totalNs(io)),
      offsets.size / 4 + fineBin(this.bytes[io]!),
      offsets.offset / 4 + (sector >>> OFFSET_SHIFT),
    ];
  }
}
