/**
 * Which I/O matches a filter. Start reading here.
 *
 * A filter is plain data (`filter.ts`), read from text and printed by `language/`. `compileFilter` binds it to a
 * session and returns an object with two methods.
 *
 * `judgeRows`: rows, whose values are known. The answer is exact, except for I/O whose identity was merged with
 * others (`maybe`).
 *
 * `judge`: an aggregate, that is I/Os of one identity, known as counts and histograms. The answer is `no` or `yes` if
 * it is certain for each of them, otherwise `maybe`; it is the more precise, the more ranges of values are given.
 * Callers that show figures count `maybe` separately.
 *
 * How it works, in `match/`, top down:
 *
 * `compile.ts` makes a tree. In each group, all conditions on the identity (disk, process, operation, error, …)
 * become one leaf, and so do all conditions on one quantity (latency, size, offset, …): the values that match any
 * combination of comparisons are a set of intervals (`value-set.ts`).
 *
 * `identity-verdicts.ts` decides a condition on identities once for each identity, when it first occurs: there are
 * few, and rows have their index. `identity-facts.ts` reads the field of an identity that a term compares.
 *
 * `inner-volumes.ts` leaves volumes out of sums that another volume lies on.
 *
 * `file-node.ts` decides a condition on files once for each file; rows have its number.
 *
 * `row-block.ts` and `value-marker.ts` process rows a block at a time: one loop reads a quantity, one finds which of
 * its values are in a set. A group joins verdicts as bits, four rows at once.
 *
 * Everything is a loop over typed arrays: 2 to 3 ns per row and leaf, in turns as short as the caller wants. Part of
 * a filter can also run in the kernel, before I/O costs anything: `kernel-filter.ts`.
 */
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { IdentityNames } from '../../model/identity-names.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import { hasQueue, layerOf } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import { asksSingleIo, quantityOf } from '../fields.ts';
import type { Quantity } from '../fields.ts';
import { allOf, term, termsOf } from '../filter.ts';
import type { Condition, Filter } from '../filter.ts';
import { compileCondition } from './compile.ts';
import { InnerVolumes } from './inner-volumes.ts';
import type { FilterNode, KnownValues } from './nodes.ts';
import { BLOCK_ROWS, RowBlock } from './row-block.ts';
import { Verdict } from '../verdict.ts';
import { whereDivided } from './where-divided.ts';

export type { KnownValues } from './nodes.ts';
export type { KnownRange } from './value-set.ts';

/** A filter bound to the identities of a session, including those interned later. */
export interface CompiledFilter {
  readonly filter: Filter;
  /** The only layer that it matches; undefined if it matches all. */
  readonly layer?: Layer;
  /**
   * Whether I/O of an identity belongs into sums. I/O of inner volumes and of other layers does not, whatever the
   * filter.
   */
  isSummed(identity: number): boolean;
  /** Whether it matches all I/O. With a single layer, all I/O that has arrived so far. */
  readonly passesAll: boolean;
  /** The quantities of single I/Os that it compares; empty if identities decide. */
  readonly quantities: readonly Quantity[];
  /** Whether it compares more than identities: for aggregated I/O the answer may be `maybe`. */
  readonly asksSingleIo: boolean;
  /** Whether I/Os of an identity match, given what is known of their values; `file` if they are of one file. */
  judge(identity: number, values?: KnownValues, file?: number): Verdict;
  /** Verdicts on rows [from, to), the first at index 0. Reused by the next call. */
  judgeRows(rows: CompletionColumns, from: number, to: number): Uint8Array;
}

/** Rows that a scan passes to `judgeRows` at a time: few enough for their values to stay in the L1 cache. */
export const JUDGED_ROWS = 4096;

/** Binds a filter that counts I/O of all layers. */
export function compileFilter(
  filter: Filter,
  identities: IdentityTable,
  names: IdentityNames,
): CompiledFilter {
  if (filter.kind === 'everything') return passingAll(filter);
  return boundTo(
    filter,
    compileCondition(whereDivided(filter, names.origin?.latency), identities, names),
  );
}

function boundTo(filter: Condition, node: FilterNode): CompiledFilter {
  return {
    filter,
    isSummed: () => true,
    passesAll: false,
    quantities: quantitiesOf(filter),
    asksSingleIo: termsOf(filter).some(({ field }) => asksSingleIo(field)),
    judge: (identity, values = nothingKnown, file) => node.judge(identity, values, file),
    judgeRows: rowJudge(node),
  };
}

/**
 * Binds a filter that counts I/O of one layer: the same bytes pass several layers, so figures of more than one would
 * count them twice. Volumes on volumes would, too: of those, the outermost that `summed` matches is counted. As long as
 * no I/O of another layer has arrived, this costs nothing.
 */
export function compileInLayer(
  filter: Filter,
  layer: Layer,
  identities: IdentityTable,
  names: IdentityNames,
  summed = filter,
): CompiledFilter {
  const bind = (asked: Filter): CompiledFilter =>
    // Where all I/O has a queue, no condition has to ask for the layer.
    asked.kind === 'everything' || !hasQueue(layer, names.origin?.latency)
      ? compileFilter(asked, identities, names)
      : boundTo(asked, compileCondition(asked, identities, names));
  const any = bind(filter);
  const one = bind(allOf([term('layer', '=', layer), filter]));
  const current = (): CompiledFilter => (isOnlyLayer(identities, layer) ? any : one);
  const compiled: CompiledFilter = {
    filter,
    layer,
    isSummed: (identity) => layerOf(identities.get(identity)) === layer,
    get passesAll() {
      return current().passesAll;
    },
    quantities: any.quantities,
    asksSingleIo: any.asksSingleIo,
    judge: (identity, values, file) => current().judge(identity, values, file),
    judgeRows: (rows, from, to) => current().judgeRows(rows, from, to),
  };
  if (layer !== 'volumes') return compiled;
  return withoutInner(compiled, new InnerVolumes(summed, identities, names));
}

function withoutInner(compiled: CompiledFilter, inner: InnerVolumes): CompiledFilter {
  return {
    ...compiled,
    isSummed: (identity) => !inner.has(identity) && compiled.isSummed(identity),
    get passesAll() {
      return inner.isEmpty && compiled.passesAll;
    },
    judge: (identity, values, file) =>
      inner.has(identity) ? Verdict.no : compiled.judge(identity, values, file),
    judgeRows: (rows, from, to) => {
      const verdicts = compiled.judgeRows(rows, from, to);
      inner.exclude(rows.identity, from, verdicts);
      return verdicts;
    },
  };
}

function isOnlyLayer({ layers }: IdentityTable, layer: Layer): boolean {
  return layers.size === 0 || (layers.size === 1 && layers.has(layer));
}

function passingAll(filter: Filter): CompiledFilter {
  return {
    filter,
    isSummed: () => true,
    passesAll: true,
    quantities: [],
    asksSingleIo: false,
    judge: () => Verdict.yes,
    judgeRows: (_rows, from, to) => new Uint8Array(to - from).fill(Verdict.yes),
  };
}

function quantitiesOf(condition: Condition): readonly Quantity[] {
  const asked = termsOf(condition).map(({ field }) => quantityOf(field));
  return [...new Set(asked.filter((quantity) => quantity !== undefined))];
}

function nothingKnown(): undefined {
  return undefined;
}

function rowJudge(node: FilterNode): CompiledFilter['judgeRows'] {
  const block = new RowBlock();
  let buffer = new Uint8Array(0);
  let verdicts = buffer;
  return (rows, from, to) => {
    if (buffer.length < to - from) buffer = new Uint8Array(to - from);
    if (verdicts.length !== to - from) verdicts = buffer.subarray(0, to - from);
    for (let at = from; at < to; at += BLOCK_ROWS) {
      block.load(rows, at, Math.min(BLOCK_ROWS, to - at));
      const { bytes } = node.judgeRows(block);
      verdicts.set(block.count === BLOCK_ROWS ? bytes : bytes.subarray(0, block.count), at - from);
    }
    return verdicts;
  };
}
