import type { Condition, Group, Term } from '../filter.ts';
import type { Quantity } from '../fields.ts';
import type { KeyVerdicts } from './key-verdicts.ts';
import { judgeRange } from './quantity.ts';
import type { KnownRange, ValueTest } from './quantity.ts';
import { both, either, joinByAnd, joinByOr, opposite, Verdict } from '../verdict.ts';

/** What is known of the values of some I/Os of one key; undefined: nothing. */
export type KnownValues = (quantity: Quantity) => KnownRange | undefined;

/** A condition on keys alone, or on one value. */
export type Leaf = KeyNode | ValueNode;

/** A part of a filter. */
export interface FilterNode {
  /** Whether I/Os of a key pass, going by what is known of their values. */
  judge(key: number, values: KnownValues): Verdict;
  /** Its verdicts on many cases at once, in a new array, from those of its leaves. */
  tabulate(tableOf: (leaf: Leaf) => Uint8Array): Uint8Array;
  readonly leaves: readonly Leaf[];
}

/** Decided once per key. */
export class KeyNode implements FilterNode {
  readonly leaves = [this];

  constructor(readonly verdicts: KeyVerdicts) {}

  judge(key: number): Verdict {
    return this.verdicts.of(key);
  }

  tabulate(tableOf: (leaf: Leaf) => Uint8Array): Uint8Array {
    return tableOf(this);
  }
}

export class ValueNode implements FilterNode {
  readonly leaves = [this];

  constructor(readonly test: ValueTest) {}

  judge(_key: number, values: KnownValues): Verdict {
    const range = values(this.test.quantity);
    return range === undefined ? Verdict.maybe : judgeRange(this.test, range);
  }

  tabulate(tableOf: (leaf: Leaf) => Uint8Array): Uint8Array {
    return tableOf(this);
  }
}

export class NotNode implements FilterNode {
  constructor(readonly node: FilterNode) {}

  get leaves(): readonly Leaf[] {
    return this.node.leaves;
  }

  judge(key: number, values: KnownValues): Verdict {
    return opposite(this.node.judge(key, values));
  }

  tabulate(tableOf: (leaf: Leaf) => Uint8Array): Uint8Array {
    return this.node.tabulate(tableOf).map(opposite);
  }
}

export class GroupNode implements FilterNode {
  private readonly join: (a: Verdict, b: Verdict) => Verdict;

  constructor(
    readonly kind: Group['kind'],
    readonly nodes: readonly FilterNode[],
  ) {
    this.join = kind === 'and' ? both : either;
  }

  get leaves(): readonly Leaf[] {
    return this.nodes.flatMap(({ leaves }) => leaves);
  }

  judge(key: number, values: KnownValues): Verdict {
    return this.nodes.map((node) => node.judge(key, values)).reduce(this.join);
  }

  tabulate(tableOf: (leaf: Leaf) => Uint8Array): Uint8Array {
    const joined = this.nodes[0]!.tabulate(tableOf).slice();
    for (const node of this.nodes.slice(1)) {
      if (this.kind === 'and') joinByAnd(joined, node.tabulate(tableOf));
      else joinByOr(joined, node.tabulate(tableOf));
    }
    return joined;
  }
}

/** Whether a condition has a term like that. */
export function asks(condition: Condition, isMeant: (term: Term) => boolean): boolean {
  switch (condition.kind) {
    case 'term':
      return isMeant(condition);
    case 'not':
      return asks(condition.condition, isMeant);
    case 'and':
    case 'or':
      return condition.conditions.some((one) => asks(one, isMeant));
  }
}
