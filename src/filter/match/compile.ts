import { assert } from '../../base/assert.ts';
import type { IdentityNames } from '../../model/identity-names.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import { asksFile, asksSingleIo, quantityOf } from '../fields.ts';
import type { Quantity } from '../fields.ts';
import { group, negate, termsOf } from '../filter.ts';
import type { Condition, Group } from '../filter.ts';
import { FileNode } from './file-node.ts';
import { IdentityVerdicts } from './identity-verdicts.ts';
import { GroupNode, IdentityNode, ValueNode } from './nodes.ts';
import type { FilterNode } from './nodes.ts';
import { complement, joinSets, valuesMeeting } from './value-set.ts';
import type { ValueSet } from './value-set.ts';

/** Compiles a condition into a tree with as few nodes as possible. */
export function compileCondition(
  condition: Condition,
  identities: IdentityTable,
  names: IdentityNames,
): FilterNode {
  function compile(one: Condition): FilterNode {
    if (!asksValues(one)) return new IdentityNode(new IdentityVerdicts(one, identities, names));
    if (one.kind === 'and' || one.kind === 'or') return compileGroup(one);
    if (one.kind === 'term' && asksFile(one.field)) return new FileNode(one, identities.files);
    return compileValues(one);
  }

  function compileGroup({ kind, conditions }: Group): FilterNode {
    const [first, ...rest] = conditions.filter((one) => !asksValues(one));
    const ofIdentities = first === undefined ? [] : [compile(group(kind, [first, ...rest]))];
    const others = conditions.filter(asksValues).map(compile);
    const nodes = [...ofIdentities, ...joinByQuantity(kind, others)];
    return nodes.length === 1 ? nodes[0]! : new GroupNode(kind, nodes);
  }

  return compile(withNotInside(condition, false));
}

function asksValues(condition: Condition): boolean {
  return termsOf(condition).some(({ field }) => asksSingleIo(field));
}

/** Moves `not` inwards to the terms: not (a and b) becomes (not a) or (not b). */
function withNotInside(condition: Condition, isNegated: boolean): Condition {
  if (condition.kind === 'term') return isNegated ? negate(condition) : condition;
  if (condition.kind === 'not') return withNotInside(condition.condition, !isNegated);
  const kind = (condition.kind === 'and') === isNegated ? 'or' : 'and';
  const [first, ...rest] = condition.conditions.map((one) => withNotInside(one, isNegated));
  return group(kind, [first!, ...rest]);
}

function compileValues(condition: Condition): ValueNode {
  if (condition.kind === 'not') {
    const { quantity, set } = compileValues(condition.condition);
    return new ValueNode(quantity, complement(set));
  }
  assert(condition.kind === 'term', 'a value is asked for by a term');
  const quantity = quantityOf(condition.field);
  assert(quantity !== undefined, `${condition.field} is a value`);
  return new ValueNode(quantity, valuesMeeting(condition));
}

function joinByQuantity(kind: Group['kind'], nodes: readonly FilterNode[]): FilterNode[] {
  const sets = new Map<Quantity, ValueSet>();
  const others: FilterNode[] = [];
  for (const node of nodes) {
    if (!(node instanceof ValueNode)) {
      others.push(node);
      continue;
    }
    const known = sets.get(node.quantity);
    sets.set(node.quantity, known === undefined ? node.set : joinSets(kind, known, node.set));
  }
  return [...[...sets].map(([quantity, set]) => new ValueNode(quantity, set)), ...others];
}
