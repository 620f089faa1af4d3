import { err, ok } from '../../base/result.ts';
import type { Result } from '../../base/result.ts';
import { group, negate, NO_FILTER, term } from '../filter.ts';
import { OPERATORS } from '../operators.ts';
import type { Condition, Filter, Term, TermValue } from '../filter.ts';
import type { Operator } from '../operators.ts';
import { FIELD_WORDS, fieldOf, FILTER_FIELDS, findField, operatorsOf } from '../fields.ts';
import type { FilterField, FieldName } from '../fields.ts';
import { formatFilter } from './format.ts';
import { clipped, parseValue } from './values.ts';
import { nearest, readTokens } from './words.ts';
import type { Token } from './words.ts';

/** The place where a text stops being a filter, and why. `column` is in UTF-16 units from 0. */
export interface FilterError {
  readonly column: number;
  /** At least 1; past the end of the text if something is missing there. */
  readonly length: number;
  readonly message: string;
}

/**
 * Parses filters such as `disk=sda op=write lat>10ms comm~mysql not pid=1`. Terms next to each other must all match, as
 * with `and` and `&&`; `or` and `||` bind less tightly, `not` and `!` more.
 */
export function parseFilter(text: string): Parsed<Filter> {
  const tokens = readTokens(text);
  return tokens.length === 0 ? ok(NO_FILTER) : new Parser(tokens, text.length).parseAll();
}

type Parsed<T> = Result<T, FilterError>;

/** Maximum nesting: more than anyone types, less than would overflow the stack. */
const MAX_DEPTH = 100;

const CONNECTIVES: Readonly<Record<string, 'and' | 'or' | 'not'>> = {
  and: 'and',
  '&&': 'and',
  or: 'or',
  '||': 'or',
  not: 'not',
  '!': 'not',
};

/** The meaning of a connective, at a place where one may be; elsewhere the same word may be a name or a value. */
export function connectiveOf(token: Token | undefined): 'and' | 'or' | 'not' | undefined {
  if (token === undefined || token.kind === 'quoted') return undefined;
  return CONNECTIVES[token.text.toLowerCase()];
}

type Field = FilterField & { readonly name: FieldName };

/** Recursive descent: one method per rule, loosest binding first. */
class Parser {
  private at = 0;
  private depth = 0;
  /** The last complete term; a word after it may be meant as another of its values. */
  private lastTerm: Term | undefined;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly endColumn: number,
  ) {}

  parseAll(): Parsed<Condition> {
    const condition = this.parseOr();
    const rest = this.peek();
    if (!condition.ok || rest === undefined) return condition;
    return this.fail(rest, rest.kind === ')' ? 'no matching "("' : messageForRest(rest));
  }

  private parseOr(): Parsed<Condition> {
    const first = this.parseAnd();
    if (!first.ok) return first;
    const conditions: [Condition, ...Condition[]] = [first.value];
    while (connectiveOf(this.peek()) === 'or') {
      this.at++;
      const next = this.parseAnd();
      if (!next.ok) return next;
      conditions.push(next.value);
    }
    return ok(group('or', conditions));
  }

  private parseAnd(): Parsed<Condition> {
    const first = this.parseNot();
    if (!first.ok) return first;
    const conditions: [Condition, ...Condition[]] = [first.value];
    while (this.takesAnother()) {
      const next = this.parseNot();
      if (!next.ok) return next;
      conditions.push(next.value);
    }
    return ok(group('and', conditions));
  }

  private takesAnother(): boolean {
    const token = this.peek();
    const connective = connectiveOf(token);
    if (connective === 'and') this.at++;
    if (connective !== undefined) return connective !== 'or';
    return token?.kind === 'word' || token?.kind === 'quoted' || token?.kind === '(';
  }

  private parseNot(): Parsed<Condition> {
    let isNegated = false;
    while (connectiveOf(this.peek()) === 'not') {
      this.at++;
      isNegated = !isNegated;
    }
    const condition = this.peek()?.kind === '(' ? this.parseGroup() : this.parseTerm();
    return condition.ok && isNegated ? ok(negate(condition.value)) : condition;
  }

  private parseGroup(): Parsed<Condition> {
    const open = this.tokens[this.at++]!;
    if (++this.depth > MAX_DEPTH) return this.fail(open, 'too many nested parentheses');
    const condition = this.parseOr();
    this.depth--;
    if (!condition.ok) return condition;
    const close = this.peek();
    if (close === undefined) return this.fail(open, 'this "(" is never closed');
    if (close.kind !== ')') return this.fail(close, messageForRest(close));
    this.at++;
    return condition;
  }

  private parseTerm(): Parsed<Condition> {
    const name = this.peek();
    if (name?.kind !== 'word' || connectiveOf(name) !== undefined) {
      return this.fail(name, 'expected a condition such as disk=sda or lat>10ms');
    }
    this.at++;
    const field = findField(name.text);
    if (field === undefined)
      return this.fail(name, messageForName(name, this.peek(), this.lastTerm));
    const operator = this.parseOperator(field, name);
    if (!operator.ok) return operator;
    const values = this.parseValues(field, operator.value);
    if (!values.ok) return values;
    return ok((this.lastTerm = term(field.name, operator.value, ...values.value)));
  }

  private parseOperator(field: Field, name: Token): Parsed<Operator> {
    const token = this.peek();
    const allowed = operatorsOf(field);
    if (token?.kind !== 'operator') {
      return this.fail(token, `expected ${allowed.join(' ')} after ${clipped(name.text)}`);
    }
    const operator = token.text === '==' ? '=' : OPERATORS.find((one) => one === token.text);
    if (operator === undefined) return this.fail(token, messageForOperator(token.text));
    if (!allowed.includes(operator)) {
      return this.fail(token, `${field.name} takes ${allowed.join(' ')}, not ${operator}`);
    }
    this.at++;
    return ok(operator);
  }

  private parseValues(field: Field, operator: Operator): Parsed<TermValue[]> {
    const values: TermValue[] = [];
    for (;;) {
      const value = this.parseOneValue(field);
      if (!value.ok) return value;
      values.push(value.value);
      const comma = this.peek();
      if (comma?.kind !== ',') return ok(values);
      if (/[<>]/.test(operator)) return this.fail(comma, `${operator} takes one value, not a list`);
      this.at++;
    }
  }

  private parseOneValue(field: Field): Parsed<TermValue> {
    const token = this.peek();
    if (token?.kind !== 'word' && token?.kind !== 'quoted') {
      return this.fail(token, `expected ${exampleOf(field)}`);
    }
    if (token.isOpen === true) return this.fail(token, 'this quote is never closed');
    const value = parseValue(field, token.text);
    if (!value.ok) return this.fail(token, value.error);
    this.at++;
    return value;
  }

  private peek(): Token | undefined {
    return this.tokens[this.at];
  }

  /** If `token` is undefined, something is missing at the end of the text. */
  private fail(token: Token | undefined, message: string): { ok: false; error: FilterError } {
    const { column, length } = token ?? { column: this.endColumn, length: 1 };
    return err({ column, length, message });
  }
}

const FIELD_NAMES = FILTER_FIELDS.map(({ name }) => name).join(', ');

function messageForName({ text }: Token, next: Token | undefined, last: Term | undefined): string {
  const guess = nearest(text, FIELD_WORDS);
  if (guess !== undefined) return `no field "${clipped(text)}"; did you mean ${guess}?`;
  if (next?.kind === 'operator') return `no field "${clipped(text)}"; fields are ${FIELD_NAMES}`;
  const list = last && asList(last, text);
  return list === undefined
    ? `"${clipped(text)}" is not a field; for a process of that name type comm~${clipped(text)}`
    : `"${clipped(text)}" is not a field; type ${list} or comm~${clipped(text)}`;
}

/** A longer one would not fit into a line of 80 columns with the rest of the message. */
const LONGEST_LIST = 30;

/** `disk=sda,sdb` for the word `sdb` after `disk=sda`; undefined if the field has no such list. */
function asList({ field, operator, values }: Term, text: string): string | undefined {
  if (operator !== '=' && operator !== '!=') return undefined;
  const value = parseValue(fieldOf(field), clipped(text));
  if (!value.ok) return undefined;
  const list = formatFilter(term(field, operator, ...values, value.value));
  return list.length > LONGEST_LIST ? undefined : list;
}

function messageForRest(rest: Token): string {
  if (rest.kind === ',') return 'unexpected comma; lists of values follow = != ~ or !~';
  if (rest.kind === 'connective')
    return `"${clipped(rest.text)}" does not join conditions; use && or ||`;
  return `expected another condition, not "${clipped(rest.text)}"`;
}

function messageForOperator(text: string): string {
  const guess = OPERATORS.find((one) => one === `${text[1] ?? ''}${text[0]!}`);
  return guess === undefined || text.length > 2
    ? `"${clipped(text)}" is not a comparison; use one of ${OPERATORS.join(' ')}`
    : `"${text}" is not a comparison; did you mean ${guess}?`;
}

function exampleOf(field: Field): string {
  if (field.kind === 'choice') return field.choices.map(({ text }) => text).join(', ');
  if (field.kind === 'duration') return 'a latency such as 10ms';
  if (field.kind === 'bytes') return 'a size such as 64k';
  if (field.kind === 'error') return 'any, none, or an errno';
  return field.kind === 'name' ? `the ${field.description}` : 'a whole number';
}
