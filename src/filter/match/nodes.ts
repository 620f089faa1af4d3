import type { Group } from '../filter.ts';
import type { Quantity } from '../fields.ts';
import type { IdentityVerdicts } from './identity-verdicts.ts';
import { BLOCK_ROWS } from './row-block.ts';
import type { RowBlock } from './row-block.ts';
import { ValueMarker } from './value-marker.ts';
import { judgeRange } from './value-set.ts';
import type { KnownRange, ValueSet } from './value-set.ts';
import { Verdict } from '../verdict.ts';

/** The known range of a quantity of some I/Os of one identity; undefined if nothing is known. */
export type KnownValues = (quantity: Quantity) => KnownRange | undefined;

/** A part of a filter. */
export interface FilterNode {
  /** `file` is the number in the column of a row; undefined for I/Os of any file. */
  judge(identity: number, values: KnownValues, file: number | undefined): Verdict;
  /** The verdict on each row, valid until the next call; meaningless after the last row. */
  judgeRows(block: RowBlock): Verdicts;
}

/** The verdicts of one block, and a view of them four at a time. */
export class Verdicts {
  readonly bytes = new Uint8Array(BLOCK_ROWS);
  readonly words = new Int32Array(this.bytes.buffer);
}

/** Conditions on the identity alone: decided once per identity. */
export class IdentityNode implements FilterNode {
  private readonly verdicts = new Verdicts();

  constructor(private readonly known: IdentityVerdicts) {}

  judge(identity: number): Verdict {
    return this.known.of(identity);
  }

  judgeRows(block: RowBlock): Verdicts {
    this.known.look(block.rows.identity, block.from, block.count, this.verdicts.bytes);
    return this.verdicts;
  }
}

/** Conditions on one quantity. */
export class ValueNode implements FilterNode {
  private readonly verdicts = new Verdicts();
  private readonly marker: ValueMarker;

  constructor(
    readonly quantity: Quantity,
    readonly set: ValueSet,
  ) {
    this.marker = new ValueMarker(set);
  }

  judge(_identity: number, values: KnownValues): Verdict {
    return judgeRange(this.set, values(this.quantity));
  }

  judgeRows(block: RowBlock): Verdicts {
    this.marker.mark(block.values(this.quantity), block.count, this.verdicts.bytes);
    return this.verdicts;
  }
}

export class GroupNode implements FilterNode {
  private readonly verdicts = new Verdicts();

  constructor(
    private readonly kind: Group['kind'],
    private readonly nodes: readonly FilterNode[],
  ) {}

  judge(identity: number, values: KnownValues, file: number | undefined): Verdict {
    const isAnd = this.kind === 'and';
    let joined: number = isAnd ? Verdict.yes : Verdict.no;
    for (const node of this.nodes) {
      const verdict = node.judge(identity, values, file);
      joined = isAnd ? joined & verdict : joined | verdict;
    }
    return joined as Verdict;
  }

  judgeRows(block: RowBlock): Verdicts {
    const { words } = this.verdicts;
    words.fill(this.kind === 'and' ? -1 : 0);
    for (const node of this.nodes) {
      const others = node.judgeRows(block).words;
      if (this.kind === 'and') joinByAnd(words, others);
      else joinByOr(words, others);
    }
    return this.verdicts;
  }
}

function joinByAnd(words: Int32Array, others: Int32Array): void {
  for (let i = 0; i < words.length; i++) words[i]! &= others[i]!;
}

function joinByOr(words: Int32Array, others: Int32Array): void {
  for (let i = 0; i < words.length; i++) words[i]! |= others[i]!;
}
