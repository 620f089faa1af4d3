import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { Quantity } from '../fields.ts';
import { passesTest, valueOf } from './quantity.ts';
import type { ValueTest } from './quantity.ts';
import { Verdict } from '../verdict.ts';

/**
 * Numbers the values of one quantity by what a filter makes of them: values that pass the same of its
 * tests have the same code, and what lacks the quantity has code 0.
 */
export class QuantityCodes {
  readonly quantity: Quantity;
  /** Codes there are. */
  readonly count: number;
  /** Where the code changes, ascending, and how the code goes up or down from there on. */
  readonly thresholds: readonly number[];
  readonly steps: readonly number[];
  /** A value of each code. */
  private readonly examples: readonly number[];

  constructor(tests: readonly ValueTest[]) {
    this.quantity = tests[0]!.quantity;
    const codes = new Map<string, number>();
    const examples: number[] = [];
    const codeOf = (value: number): number => {
      const passed = tests.map((test) => Number(passesTest(test, value))).join('');
      const known = codes.get(passed);
      if (known !== undefined) return known;
      codes.set(passed, examples.length);
      return examples.push(value) - 1;
    };
    let code = codeOf(NaN);
    const [thresholds, steps]: [number[], number[]] = [[], []];
    for (const limit of limitsOf(tests)) {
      const next = codeOf(limit);
      if (next === code) continue;
      thresholds.push(limit);
      steps.push(next - code);
      code = next;
    }
    this.count = examples.length;
    this.examples = examples;
    this.thresholds = thresholds;
    this.steps = steps;
  }

  /** Whether values of a code pass one of the tests. */
  judge(test: ValueTest, code: number): Verdict {
    return passesTest(test, this.examples[code]!) ? Verdict.yes : Verdict.no;
  }

  ofRow(rows: CompletionColumns, row: number): number {
    return this.of(valueOf(this.quantity, rows, row));
  }

  of(value: number): number {
    let code = 0;
    for (let i = 0; i < this.thresholds.length && value >= this.thresholds[i]!; i++)
      code += this.steps[i]!;
    return code;
  }
}

/** Every value at which some test may begin or cease to pass. */
function limitsOf(tests: readonly ValueTest[]): number[] {
  const limits = new Set<number>();
  for (const { intervals } of tests)
    for (const { from, to } of intervals) {
      limits.add(from);
      if (to < Infinity) limits.add(to);
    }
  return [...limits].sort((a, b) => a - b);
}
