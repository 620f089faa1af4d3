import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { QuantityCodes } from './codes.ts';
import { KeyNode } from './nodes.ts';
import type { FilterNode, ValueNode } from './nodes.ts';
import { addingLoop } from './loops.ts';
import type { AddCodes } from './loops.ts';
import type { KeyTable } from '../../model/key-table.ts';
import { VECTOR_ROWS, vectorSteps } from './vector-steps.ts';
import { Verdict } from '../verdict.ts';

/**
 * Where the keys leave fewer rows than one in so many open, the values of these are looked at one by
 * one: that takes about forty times as long a row as in a loop.
 */
const FEW = 64;

/** The first kinds of keys are those that decide alone, by their verdict. */
const DECIDED_KINDS = Verdict.yes + 1;

/**
 * Judges rows by a table of what the filter says in every case. A case is a kind of key, which is what
 * each condition on keys says of it, and a code of each quantity; its *place* is its index in the table.
 */
export class TableJudge {
  private readonly node: FilterNode;
  private readonly codes: readonly QuantityCodes[];
  private readonly keys: KeyTable;
  private readonly onKeys: readonly KeyNode[];
  /** Cases per kind of key, and how far apart in the table the codes of each quantity stand. */
  private readonly cases: number;
  private readonly strides: readonly number[];
  private readonly loops: readonly AddCodes[];
  private table: Uint8Array;
  private readonly tableOfLeaf = new Map<ValueNode, Uint8Array>();
  private kinds = DECIDED_KINDS;
  /** Of a kind, by what is said of it so far; `kindOf` ends in its place. */
  private branches = new Map<number, number>();
  private branchCount = 1;
  private readonly placeOfBranch = new Map<number, number>();
  private placeOfKey = new Int32Array(256);
  private placedKeys = 0;
  private placedVersion = 0;
  private readonly places: Int32Array;

  constructor(node: FilterNode, codes: readonly QuantityCodes[], keys: KeyTable) {
    this.node = node;
    this.codes = codes;
    this.keys = keys;
    this.onKeys = node.leaves.filter((leaf) => leaf instanceof KeyNode);
    let cases = 1;
    this.strides = codes.map(({ count }) => (cases *= count) / count);
    this.cases = cases;
    const vectors = vectorSteps();
    this.places = vectors?.places ?? new Int32Array(VECTOR_ROWS);
    this.loops = codes.map((one, i) => addingLoop(one, this.strides[i]!, vectors));
    this.table = new Uint8Array(DECIDED_KINDS * cases);
    for (const verdict of Object.values(Verdict))
      this.table.fill(verdict, verdict * cases, (verdict + 1) * cases);
  }

  judgeRows(rows: CompletionColumns, from: number, verdicts: Uint8Array): void {
    if (this.codes.length === 0) {
      this.judgeKeys(rows.key, from, verdicts);
      return;
    }
    for (let start = 0; start < verdicts.length; start += VECTOR_ROWS)
      this.judgeBlock(rows, from + start, verdicts.subarray(start, start + VECTOR_ROWS));
  }

  private judgeBlock(rows: CompletionColumns, from: number, verdicts: Uint8Array): void {
    const count = verdicts.length;
    const { places } = this;
    const open = this.findKeys(rows.key, from, count);
    if (open * FEW < count) {
      if (open > 0) this.findFew(rows, from, count);
    } else for (const add of this.loops) add(rows, from, count, places);
    // Keys whose verdict is certain have it in every case.
    const { table } = this;
    for (let i = 0; i < count; i++) verdicts[i] = table[places[i]!]!;
  }

  /** As of `RowJudge`. */
  judgeKey(key: number): Verdict {
    this.placeKeys();
    const place = this.placeOfKey[this.onKeys.length === 0 ? 0 : key]!;
    return place < DECIDED_KINDS * this.cases ? (this.table[place] as Verdict) : Verdict.maybe;
  }

  private judgeKeys(key: Uint32Array, from: number, verdicts: Uint8Array): void {
    this.placeKeys();
    const { table, placeOfKey } = this;
    for (let i = 0; i < verdicts.length; i++) verdicts[i] = table[placeOfKey[key[from + i]!]!]!;
  }

  /** Writes the places of the keys alone; how many of them leave the verdict open. */
  private findKeys(key: Uint32Array, from: number, count: number): number {
    this.placeKeys();
    const { places, placeOfKey, onKeys } = this;
    if (onKeys.length === 0) {
      places.fill(placeOfKey[0]!, 0, count);
      return placeOfKey[0]! < DECIDED_KINDS * this.cases ? 0 : count;
    }
    const firstOpen = DECIDED_KINDS * this.cases;
    let open = 0;
    for (let i = 0; i < count; i++) {
      const place = placeOfKey[key[from + i]!]!;
      places[i] = place;
      open += Number(place >= firstOpen);
    }
    return open;
  }

  private findFew(rows: CompletionColumns, from: number, count: number): void {
    const { places, codes, strides } = this;
    const firstOpen = DECIDED_KINDS * this.cases;
    for (let i = 0; i < count; i++) {
      if (places[i]! < firstOpen) continue;
      for (let q = 0; q < codes.length; q++)
        places[i]! += codes[q]!.ofRow(rows, from + i) * strides[q]!;
    }
  }

  private placeKeys(): void {
    const { keys, onKeys } = this;
    let version = 0;
    for (const { verdicts } of onKeys) {
      verdicts.refresh();
      version += verdicts.version;
    }
    if (version !== this.placedVersion) this.placedKeys = 0;
    this.placedVersion = version;
    // Without a condition on keys, all of them are of one kind.
    const size = onKeys.length === 0 ? 1 : keys.size;
    if (this.placedKeys >= size) return;
    if (size > this.placeOfKey.length) this.growKeys();
    for (; this.placedKeys < size; this.placedKeys++)
      this.placeOfKey[this.placedKeys] = this.placeOf(this.placedKeys);
  }

  private growKeys(): void {
    const larger = new Int32Array(Math.max(this.keys.size, this.placeOfKey.length * 2));
    larger.set(this.placeOfKey);
    this.placeOfKey = larger;
  }

  /** Keys of which all conditions say the same are of one kind. */
  private placeOf(key: number): number {
    const verdicts = this.onKeys.map((node) => node.verdicts.of(key));
    let branch = 0;
    for (const verdict of verdicts) {
      const next = branch * DECIDED_KINDS + verdict;
      const known = this.branches.get(next);
      branch = known ?? this.branchCount++;
      if (known === undefined) this.branches.set(next, branch);
    }
    const known = this.placeOfBranch.get(branch);
    if (known !== undefined) return known;
    const place = this.admit(verdicts);
    this.placeOfBranch.set(branch, place);
    return place;
  }

  private admit(ofKeys: readonly Verdict[]): number {
    const { cases, onKeys } = this;
    const verdicts = this.node.tabulate((leaf) =>
      leaf instanceof KeyNode
        ? new Uint8Array(cases).fill(ofKeys[onKeys.indexOf(leaf)]!)
        : this.casesOf(leaf),
    );
    const first = verdicts[0]!;
    if (verdicts.every((verdict) => verdict === first)) return first * cases;
    const place = this.kinds++ * cases;
    if (place + cases > this.table.length) this.growTable();
    this.table.set(verdicts, place);
    return place;
  }

  private growTable(): void {
    const larger = new Uint8Array(Math.max(this.table.length * 2, this.kinds * this.cases));
    larger.set(this.table);
    this.table = larger;
  }

  private casesOf(leaf: ValueNode): Uint8Array {
    const known = this.tableOfLeaf.get(leaf);
    if (known !== undefined) return known;
    const at = this.codes.findIndex(({ quantity }) => quantity === leaf.test.quantity);
    const [codes, stride] = [this.codes[at]!, this.strides[at]!];
    const table = new Uint8Array(this.cases);
    for (let from = 0, code = 0; from < this.cases; from += stride, code++)
      table.fill(codes.judge(leaf.test, code % codes.count), from, from + stride);
    this.tableOfLeaf.set(leaf, table);
    return table;
  }
}
