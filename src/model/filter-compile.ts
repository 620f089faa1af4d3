import type { CompletionColumns } from './completion-columns.ts';
import type { DeviceNames } from './device.ts';
import type { Condition, Filter, Group, Term } from './filter.ts';
import { quantityOf } from './filter-fields.ts';
import type { Quantity } from './filter-fields.ts';
import { judgeTerm } from './filter-key.ts';
import { judgeRange, judgeRow, judgeRows, valueTest } from './filter-quantity.ts';
import type { KnownRange, ValueTest } from './filter-quantity.ts';
import type { CompletionKey, KeyTable } from './key-table.ts';
import { both, countOpen, either, joinByAnd, joinByOr, opposite, Verdict } from './verdict.ts';

/** What is known of the values of some I/Os of one key; undefined: nothing. */
export type KnownValues = (quantity: Quantity) => KnownRange | undefined;

/** A filter bound to a key table. Answers are remembered, also for keys interned later. */
export interface CompiledFilter {
  readonly filter: Filter;
  /** True when nothing is left out. */
  readonly passesAll: boolean;
  /** What it asks of the values of single I/Os; empty when their keys decide. */
  readonly quantities: readonly Quantity[];
  /** Whether I/Os of a key pass, going by what is known of their values. */
  judge(key: number, values?: KnownValues): Verdict;
  /** Verdicts on rows [from, to), the first at index 0. Reused by the next call. */
  judgeRows(rows: CompletionColumns, from: number, to: number): Uint8Array;
}

export function compileFilter(filter: Filter, keys: KeyTable, names: DeviceNames): CompiledFilter {
  const quantities = new Set<Quantity>();
  const node =
    filter.kind === 'everything' ? PASSING : compile(filter, { keys, names, quantities });
  let buffer = new Uint8Array(0);
  return {
    filter,
    passesAll: filter.kind === 'everything',
    quantities: [...quantities],
    judge: (key, values = nothingKnown) => node.judge(key, values),
    judgeRows: (rows, from, to) => {
      if (buffer.length < to - from) buffer = new Uint8Array(to - from);
      const verdicts = buffer.subarray(0, to - from);
      node.judgeRows(rows, from, verdicts);
      return verdicts;
    },
  };
}

function nothingKnown(): undefined {
  return undefined;
}

/**
 * A part of a filter. Rows are judged a block at a time, each part in loops of its own: three times
 * as fast as asking a tree of functions row by row.
 */
interface Node {
  judge(key: number, values: KnownValues): Verdict;
  /** Writes the verdicts on rows [from, from + verdicts.length). */
  judgeRows(rows: CompletionColumns, from: number, verdicts: Uint8Array): void;
  /** The verdict on one row; keys interned since the last block are not known yet. */
  judgeRow(rows: CompletionColumns, row: number): number;
}

/**
 * Where fewer rows than one in so many are left to ask about, they are asked about one by one: that
 * takes about ten times as long a row as in a loop.
 */
const FEW = 12;

const PASSING: Node = {
  judge: () => Verdict.all,
  judgeRows: (_rows, _from, verdicts) => verdicts.fill(Verdict.all),
  judgeRow: () => Verdict.all,
};

interface Context {
  readonly keys: KeyTable;
  readonly names: DeviceNames;
  readonly quantities: Set<Quantity>;
}

function compile(condition: Condition, context: Context): Node {
  if (!asksValues(condition)) return new KeyNode(condition, context);
  switch (condition.kind) {
    case 'term':
      return compileTerm(condition, context);
    case 'not':
      return compileNot(condition.condition, context);
    case 'and':
    case 'or':
      return compileGroup(condition, context);
  }
}

function compileTerm(term: Term, context: Context, isInverse = false): Node {
  const test = valueTest(term)!;
  context.quantities.add(test.quantity);
  return new ValueNode({ ...test, isInverse: test.isInverse !== isInverse });
}

function compileNot(condition: Condition, context: Context): Node {
  if (condition.kind === 'term') return compileTerm(condition, context, true);
  return new NotNode(compile(condition, context));
}

/** Conditions on keys are taken together: their answer is one look-up, and spares the others. */
function compileGroup({ kind, conditions }: Group, context: Context): Node {
  const onKeys = conditions.filter((one) => !asksValues(one));
  const onValues = conditions.filter(asksValues).map((one) => compile(one, context));
  if (onKeys.length === 0) return new GroupNode(kind, onValues);
  const keyNode = new KeyNode({ kind, conditions: onKeys }, context);
  return new GroupNode(kind, [keyNode, ...onValues]);
}

function asksValues(condition: Condition): boolean {
  return asks(condition, ({ field }) => quantityOf(field) !== undefined);
}

function asks(condition: Condition, isMeant: (term: Term) => boolean): boolean {
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

/** Decided once per key. */
class KeyNode implements Node {
  private verdicts = new Uint8Array(256);
  private decided = 0;
  /** Keys by disk, where it has no name so far: that may come, and be the one that is asked for. */
  private readonly unnamed = new Map<number, number[]>();
  private readonly asksNames: boolean;

  constructor(
    private readonly condition: Condition,
    private readonly context: Context,
  ) {
    this.asksNames = asks(condition, ({ field }) => field === 'disk' || field === 'host');
  }

  judge(key: number): Verdict {
    this.refresh();
    return this.verdicts[key] as Verdict;
  }

  judgeRows({ key }: CompletionColumns, from: number, verdicts: Uint8Array): void {
    this.refresh();
    const ofKeys = this.verdicts;
    for (let i = 0; i < verdicts.length; i++) verdicts[i] = ofKeys[key[from + i]!]!;
  }

  judgeRow({ key }: CompletionColumns, row: number): number {
    this.refresh();
    return this.verdicts[key[row]!]!;
  }

  private refresh(): void {
    const { keys } = this.context;
    if (this.unnamed.size > 0) this.decideNamed();
    if (this.decided === keys.size) return;
    if (keys.size > this.verdicts.length) this.grow();
    for (; this.decided < keys.size; this.decided++) this.decide(this.decided);
  }

  private decideNamed(): void {
    for (const [dev, waiting] of this.unnamed) {
      if (this.context.names.device(dev) === undefined) continue;
      this.unnamed.delete(dev);
      for (const key of waiting) this.decide(key);
    }
  }

  private decide(index: number): void {
    const { keys, names } = this.context;
    const key = keys.get(index);
    this.verdicts[index] = judgeCondition(this.condition, key, names);
    if (!this.asksNames || names.device(key.dev) !== undefined) return;
    const waiting = this.unnamed.get(key.dev);
    if (waiting === undefined) this.unnamed.set(key.dev, [index]);
    else waiting.push(index);
  }

  private grow(): void {
    const larger = new Uint8Array(Math.max(this.context.keys.size, this.verdicts.length * 2));
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

class ValueNode implements Node {
  constructor(private readonly test: ValueTest) {}

  judge(_key: number, values: KnownValues): Verdict {
    const range = values(this.test.quantity);
    return range === undefined ? Verdict.unknown : judgeRange(this.test, range);
  }

  judgeRows(rows: CompletionColumns, from: number, verdicts: Uint8Array): void {
    judgeRows(this.test, rows, from, verdicts);
  }

  judgeRow(rows: CompletionColumns, row: number): number {
    return judgeRow(this.test, rows, row);
  }
}

class NotNode implements Node {
  constructor(private readonly node: Node) {}

  judge(key: number, values: KnownValues): Verdict {
    return opposite(this.node.judge(key, values));
  }

  judgeRows(rows: CompletionColumns, from: number, verdicts: Uint8Array): void {
    this.node.judgeRows(rows, from, verdicts);
    for (let i = 0; i < verdicts.length; i++) verdicts[i] = opposite(verdicts[i]!);
  }

  judgeRow(rows: CompletionColumns, row: number): number {
    return opposite(this.node.judgeRow(rows, row));
  }
}

class GroupNode implements Node {
  private buffer = new Uint8Array(0);
  private readonly join: (a: Verdict, b: Verdict) => Verdict;

  constructor(
    private readonly kind: Group['kind'],
    private readonly nodes: readonly Node[],
  ) {
    this.join = kind === 'and' ? both : either;
  }

  judge(key: number, values: KnownValues): Verdict {
    return this.nodes.map((node) => node.judge(key, values)).reduce(this.join);
  }

  judgeRows(rows: CompletionColumns, from: number, verdicts: Uint8Array): void {
    if (this.buffer.length < verdicts.length) this.buffer = new Uint8Array(verdicts.length);
    const others = this.buffer.subarray(0, verdicts.length);
    this.nodes[0]!.judgeRows(rows, from, verdicts);
    for (let n = 1; n < this.nodes.length; n++) {
      if (this.kind === 'and' && countOpen(verdicts) * FEW < verdicts.length) {
        this.judgeFew(rows, from, verdicts, n);
        return;
      }
      this.nodes[n]!.judgeRows(rows, from, others);
      if (this.kind === 'and') joinByAnd(verdicts, others);
      else joinByOr(verdicts, others);
    }
  }

  judgeRow(rows: CompletionColumns, row: number): number {
    let verdict = this.nodes[0]!.judgeRow(rows, row);
    for (let n = 1; n < this.nodes.length; n++) {
      const other = this.nodes[n]!.judgeRow(rows, row);
      verdict = this.kind === 'and' ? verdict & other : verdict | other;
    }
    return verdict;
  }

  /** Asks the nodes from `first` on about the rows that may still pass all of them. */
  private judgeFew(
    rows: CompletionColumns,
    from: number,
    verdicts: Uint8Array,
    first: number,
  ): void {
    for (let i = 0; i < verdicts.length; i++)
      for (let n = first; n < this.nodes.length && verdicts[i] !== Verdict.none; n++)
        verdicts[i]! &= this.nodes[n]!.judgeRow(rows, from + i);
  }
}
