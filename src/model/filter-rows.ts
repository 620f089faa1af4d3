import type { CompletionColumns } from './completion-columns.ts';
import { QuantityCodes } from './filter-codes.ts';
import type { Quantity } from './filter-fields.ts';
import { GroupNode, KeyNode, NotNode, ValueNode } from './filter-nodes.ts';
import type { FilterNode } from './filter-nodes.ts';
import type { ValueTest } from './filter-quantity.ts';
import { TableJudge } from './filter-table.ts';
import type { KeyTable } from './key-table.ts';
import { joinByAnd, joinByOr, opposite } from './verdict.ts';

/** Writes the verdicts on rows [from, from + verdicts.length). */
export type JudgeRows = (rows: CompletionColumns, from: number, verdicts: Uint8Array) => void;

/** Cases of a table, times two for each condition on keys up to so many: what stays in the cache. */
const MOST_CASES = 65_536;
const MOST_KEY_BITS = 6;

/**
 * A filter's verdict on a row depends on its key and on the code of each quantity that is asked for, so
 * it stands in a table, and costs what it takes to find the codes, however much is asked. Only where the
 * table would be too large, parts of the filter have tables of their own, and are joined row by row.
 */
export function rowJudge(node: FilterNode, keys: KeyTable): JudgeRows {
  const codes = codesOf(node);
  if (isSmall(node, codes) || node instanceof KeyNode || node instanceof ValueNode) {
    const table = new TableJudge(node, codes, keys);
    return table.judgeRows.bind(table);
  }
  if (node instanceof NotNode) return inverted(rowJudge(node.node, keys));
  const { kind, nodes } = node as GroupNode;
  return joined(
    kind,
    packed(kind, nodes).map((part) => rowJudge(part, keys)),
  );
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

function isSmall({ leaves }: FilterNode, codes = codesOf({ leaves } as FilterNode)): boolean {
  const cases = codes.reduce((product, { count }) => product * count, 1);
  const onKeys = leaves.filter((leaf) => leaf instanceof KeyNode).length;
  return cases * 2 ** Math.min(onKeys, MOST_KEY_BITS) <= MOST_CASES;
}

/** As few groups of neighbours as have small tables; at least two, or nothing would get smaller. */
function packed(kind: GroupNode['kind'], nodes: readonly FilterNode[]): FilterNode[] {
  const groups: FilterNode[][] = [];
  for (const node of nodes) {
    const last = groups.at(-1);
    if (last !== undefined && isSmall(new GroupNode(kind, [...last, node]))) last.push(node);
    else groups.push([node]);
  }
  return groups.map((some) => (some.length === 1 ? some[0]! : new GroupNode(kind, some)));
}

function inverted(judge: JudgeRows): JudgeRows {
  return (rows, from, verdicts) => {
    judge(rows, from, verdicts);
    for (let i = 0; i < verdicts.length; i++) verdicts[i] = opposite(verdicts[i]!);
  };
}

function joined(kind: GroupNode['kind'], parts: readonly JudgeRows[]): JudgeRows {
  const join = kind === 'and' ? joinByAnd : joinByOr;
  let buffer = new Uint8Array(0);
  return (rows, from, verdicts) => {
    if (buffer.length < verdicts.length) buffer = new Uint8Array(verdicts.length);
    const others = buffer.subarray(0, verdicts.length);
    parts[0]!(rows, from, verdicts);
    for (const part of parts.slice(1)) {
      part(rows, from, others);
      join(verdicts, others);
    }
  };
}
