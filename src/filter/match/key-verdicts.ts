import type { DeviceNames } from '../../model/device.ts';
import type { Condition } from '../filter.ts';
import { judgeTerm } from './facts.ts';
import type { CompletionKey, KeyTable } from '../../model/key-table.ts';
import type { Verdict } from '../verdict.ts';
import { both, either, opposite } from '../verdict.ts';

/** What a condition on keys says of every key there is, also of those interned later. */
export class KeyVerdicts {
  /** Changes when a verdict does that has been given before. */
  version = 0;
  private verdicts = new Uint8Array(256);
  private decided = 0;
  /** Keys by disk, where it has no name so far: that may come, and be the one that is asked for. */
  private readonly unnamed = new Map<number, number[]>();

  constructor(
    private readonly condition: Condition,
    private readonly keys: KeyTable,
    private readonly names: DeviceNames,
    private readonly asksNames: boolean,
  ) {}

  of(key: number): Verdict {
    this.refresh();
    return this.verdicts[key] as Verdict;
  }

  /** Looks at what has become known. */
  refresh(): void {
    const { keys } = this;
    if (this.unnamed.size > 0) this.decideNamed();
    if (this.decided === keys.size) return;
    if (keys.size > this.verdicts.length) this.grow();
    for (; this.decided < keys.size; this.decided++) this.decide(this.decided);
  }

  private decideNamed(): void {
    for (const [dev, waiting] of this.unnamed) {
      if (this.names.device(dev) === undefined) continue;
      this.unnamed.delete(dev);
      for (const key of waiting) this.decide(key);
      this.version++;
    }
  }

  private decide(index: number): void {
    const { keys, names } = this;
    const key = keys.get(index);
    this.verdicts[index] = judgeCondition(this.condition, key, names);
    if (!this.asksNames || names.device(key.dev) !== undefined) return;
    const waiting = this.unnamed.get(key.dev);
    if (waiting === undefined) this.unnamed.set(key.dev, [index]);
    else waiting.push(index);
  }

  private grow(): void {
    const larger = new Uint8Array(Math.max(this.keys.size, this.verdicts.length * 2));
    larger.set(this.verdicts);
    this.verdicts = larger;
  }
}

function judgeCondition(condition: Condition, key: CompletionKey, names: DeviceNames): Verdict {
  const judged = (one: Condition): Verdict => judgeCondition(one, key, names);
  switch (condition.kind) {
    case 'term':
      return judgeTerm(condition, key, names);
    case 'not':
      return opposite(judged(condition.condition));
    case 'and':
      return condition.conditions.map(judged).reduce(both);
    case 'or':
      return condition.conditions.map(judged).reduce(either);
  }
}
