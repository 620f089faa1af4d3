import type { DeviceNames } from '../../model/device.ts';
import type { Identity, IdentityTable } from '../../model/identity-table.ts';
import { termsOf } from '../filter.ts';
import type { Condition } from '../filter.ts';
import { both, either, opposite } from '../verdict.ts';
import type { Verdict } from '../verdict.ts';
import { judgeTerm } from './identity-facts.ts';

/** In the place of a verdict; none has this bit. */
const UNDECIDED = 4;

/** What a condition says of each identity, decided when one is first met. */
export class IdentityVerdicts {
  private verdicts = new Uint8Array(256).fill(UNDECIDED);
  private readonly asksNames: boolean;
  /** Identities by disk, where it has no name so far: that may come, and be the one that is asked for. */
  private readonly unnamed = new Map<number, number[]>();

  constructor(
    private readonly condition: Condition,
    private readonly identities: IdentityTable,
    private readonly names: DeviceNames,
  ) {
    this.asksNames = termsOf(condition).some(({ field }) => field === 'disk' || field === 'host');
  }

  of(identity: number): Verdict {
    this.refresh();
    const known = this.verdicts[identity]!;
    return known === UNDECIDED ? this.decide(identity) : (known as Verdict);
  }

  /** Writes the verdicts on the identities of some rows. */
  look(identities: Uint32Array, from: number, count: number, into: Uint8Array): void {
    this.refresh();
    const { verdicts } = this;
    let seen = 0;
    for (let i = 0; i < count; i++) {
      const verdict = verdicts[identities[from + i]!]!;
      into[i] = verdict;
      seen |= verdict;
    }
    if ((seen & UNDECIDED) === 0) return;
    for (let i = 0; i < count; i++)
      if (into[i] === UNDECIDED) into[i] = this.of(identities[from + i]!);
  }

  private refresh(): void {
    const { identities, verdicts } = this;
    if (this.unnamed.size > 0) this.forgetNamed();
    if (identities.size <= verdicts.length) return;
    this.verdicts = new Uint8Array(Math.max(identities.size, 2 * verdicts.length)).fill(UNDECIDED);
    this.verdicts.set(verdicts);
  }

  private forgetNamed(): void {
    for (const [dev, waiting] of this.unnamed) {
      if (this.names.device(dev) === undefined) continue;
      this.unnamed.delete(dev);
      for (const identity of waiting) this.verdicts[identity] = UNDECIDED;
    }
  }

  private decide(index: number): Verdict {
    const identity = this.identities.get(index);
    const verdict = judgeCondition(this.condition, identity, this.names);
    this.verdicts[index] = verdict;
    if (this.asksNames && this.names.device(identity.dev) === undefined) {
      const waiting = this.unnamed.get(identity.dev);
      if (waiting === undefined) this.unnamed.set(identity.dev, [index]);
      else waiting.push(index);
    }
    return verdict;
  }
}

function judgeCondition(condition: Condition, identity: Identity, names: DeviceNames): Verdict {
  const judged = (one: Condition): Verdict => judgeCondition(one, identity, names);
  switch (condition.kind) {
    case 'term':
      return judgeTerm(condition, identity, names);
    case 'not':
      return opposite(judged(condition.condition));
    case 'and':
      return condition.conditions.map(judged).reduce(both);
    case 'or':
      return condition.conditions.map(judged).reduce(either);
  }
}
