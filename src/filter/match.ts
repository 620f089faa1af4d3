import type { CompletionColumns } from '../model/completion-columns.ts';
import type { DeviceNames } from '../model/device.ts';
import type { Condition, Filter, Group, Term } from './filter.ts';
import { quantityOf } from './fields.ts';
import type { Quantity } from './fields.ts';
import { KeyVerdicts } from './match/key-verdicts.ts';
import { asks, GroupNode, KeyNode, NotNode, ValueNode } from './match/nodes.ts';
import type { FilterNode, KnownValues } from './match/nodes.ts';
import { valueTest } from './match/quantity.ts';
import { createRowJudge } from './match/rows.ts';
import type { KeyTable } from '../model/key-table.ts';
import { Verdict } from './verdict.ts';

export type { KnownValues } from './match/nodes.ts';
export type { KnownRange } from './match/quantity.ts';

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
  if (filter.kind === 'everything') return passingAll(filter);
  const quantities = new Set<Quantity>();
  const node = compile(filter, { keys, names, quantities });
  const judge = createRowJudge(node, keys);
  let buffer = new Uint8Array(0);
  let verdicts = buffer;
  return {
    filter,
    passesAll: false,
    quantities: [...quantities],
    judge: (key, values) => {
      const ofKey = judge.judgeKey(key);
      return ofKey === Verdict.maybe && values !== undefined ? node.judge(key, values) : ofKey;
    },
    judgeRows: (rows, from, to) => {
      if (buffer.length < to - from) buffer = new Uint8Array(to - from);
      if (verdicts.length !== to - from) verdicts = buffer.subarray(0, to - from);
      judge.judgeRows(rows, from, verdicts);
      return verdicts;
    },
  };
}

function passingAll(filter: Filter): CompiledFilter {
  return {
    filter,
    passesAll: true,
    quantities: [],
    judge: () => Verdict.yes,
    judgeRows: (_rows, from, to) => new Uint8Array(to - from).fill(Verdict.yes),
  };
}

interface Context {
  readonly keys: KeyTable;
  readonly names: DeviceNames;
  readonly quantities: Set<Quantity>;
}

function compile(condition: Condition, context: Context): FilterNode {
  if (!asksValues(condition)) return compileKeys(condition, context);
  switch (condition.kind) {
    case 'term':
      return compileTerm(condition, context);
    case 'not':
      return new NotNode(compile(condition.condition, context));
    case 'and':
    case 'or':
      return compileGroup(condition, context);
  }
}

function compileKeys(condition: Condition, { keys, names }: Context): KeyNode {
  const asksNames = asks(condition, ({ field }) => field === 'disk' || field === 'host');
  return new KeyNode(new KeyVerdicts(condition, keys, names, asksNames));
}

function compileTerm(term: Term, context: Context): ValueNode {
  const test = valueTest(term)!;
  context.quantities.add(test.quantity);
  return new ValueNode(test);
}

/** Conditions on keys are taken together: their answer is one look-up. */
function compileGroup({ kind, conditions }: Group, context: Context): GroupNode {
  const onKeys = conditions.filter((one) => !asksValues(one));
  const onValues = conditions.filter(asksValues).map((one) => compile(one, context));
  if (onKeys.length === 0) return new GroupNode(kind, onValues);
  return new GroupNode(kind, [compileKeys({ kind, conditions: onKeys }, context), ...onValues]);
}

function asksValues(condition: Condition): boolean {
  return asks(condition, ({ field }) => quantityOf(field) !== undefined);
}
