import type { CompletionColumns } from '../../model/completion-columns.ts';
import { QuantityCodes } from './codes.ts';
import type { Quantity } from '../fields.ts';
import { GroupNode, KeyNode, NotNode, ValueNode } from './nodes.ts';
import type { FilterNode } from './nodes.ts';
import type { ValueTest } from './quantity.ts';
import { TableJudge } from './table.ts';
import type { KeyTable } from '../../model/key-table.ts';
import { both, either, joinByAnd, joinByOr, opposite } from '../verdict.ts';
import type { Verdict } from '../verdict.ts';

/** Judges by values as they are, not by what is known of them. */
export interface RowJudge {
  /** Writes the verdicts on rows [from, from + verdicts.length). */
  judgeRows(rows: CompletionColumns, from: number, verdicts: Uint8Array): void;
  /** The verdict on all rows of a key, whatever their values; `maybe` where these decide. */
  judgeKey(key: number): Verdict;
}

/**
 * Cases of a table, times two for each condition on keys up to so many: what stays in the cache, and is
 * filled in an instant.
 */
const MOST_CASES = 8_192;
const MOST_KEY_BITS = 6;

/**
 * A filter's verdict on a row depends on its key and on the code of each quantity that is asked for, so
 * it stands in a table, and costs what it takes to find the codes, however much is asked. Only where the
 * table would be too large, parts of the filter have tables of their own, and are joined row by row.
 */
export function createRowJudge(node: FilterNode, keys: KeyTable): RowJudge {
  const codes = codesOf(node);
  const isLarge = !isSmall(node, codes);
  if (isLarge && node instanceof NotNode) return inverted(createRowJudge(node.node, keys));
  if (isLarge && node instanceof GroupNode)
    return joined(
      node.kind,
      packed(node).map((part) => createRowJudge(part, keys)),
    );
  return new TableJudge(node, codes, keys);
}

function codesOf({ leaves }: FilterNode): QuantityCodes[] {
  const tests = new Map<Quantity, ValueTest[]>();
  for (const leaf of leaves) {
    if (!(leaf instanceof ValueNode)) continue;
    const others = tests.get(leaf.test.quantity);
    if (others === undefined) tests.set(leaf.test.quantity, [leaf.test]);
    else others.push(leaf.test);
  }
  return [...tests.values()].map((some) => new QuantityCodes(some));
}

function isSmall(node: FilterNode, codes = codesOf(node)): boolean {
  const cases = codes.reduce((product, { count }) => product * count, 1);
  const onKeys = node.leaves.filter((leaf) => leaf instanceof KeyNode).length;
  return cases * 2 ** Math.min(onKeys, MOST_KEY_BITS) <= MOST_CASES;
}

/** As few groups of neighbours as have small tables; at least two, or nothing would get smaller. */
function packed({ kind, nodes }: GroupNode): FilterNode[] {
  const groups: FilterNode[][] = [];
  for (const node of nodes) {
    const last = groups.at(-1);
    if (last !== undefined && isSmall(new GroupNode(kind, [...last, node]))) last.push(node);
    else groups.push([node]);
  }
  return groups.map((some) => (some.length === 1 ? some[0]! : new GroupNode(kind, some)));
}

function inverted(judge: RowJudge): RowJudge {
  return {
    judgeKey: (key) => opposite(judge.judgeKey(key)),
    judgeRows: (rows, from, verdicts) => {
      judge.judgeRows(rows, from, verdicts);
      for (let i = 0; i < verdicts.length; i++) verdicts[i] = opposite(verdicts[i]!);
    },
  };
}

function joined(kind: GroupNode['kind'], parts: readonly RowJudge[]): RowJudge {
  const [joinOne, join] = kind === 'and' ? [both, joinByAnd] : [either, joinByOr];
  const [first, ...rest] = parts;
  let buffer = new Uint8Array(0);
  return {
    judgeKey: (key) => parts.map((part) => part.judgeKey(key)).reduce(joinOne),
    judgeRows: (rows, from, verdicts) => {
      if (buffer.length < verdicts.length) buffer = new Uint8Array(verdicts.length);
      const others = buffer.subarray(0, verdicts.length);
      first!.judgeRows(rows, from, verdicts);
      for (const part of rest) {
        part.judgeRows(rows, from, others);
        join(verdicts, others);
      }
    },
  };
}
