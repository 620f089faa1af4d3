import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFilter } from '../../src/filter/language/parse.ts';
import { standingOf } from '../../src/ui/dialogs/filter-standing.ts';

function standing(text: string, cursor = text.length): string {
  const shown = standingOf({ text, cursor });
  return shown.kind === 'wrong' ? `${shown.problem.column}: ${shown.problem.message}` : shown.kind;
}

const RIGHT = [
  'disk=sda',
  'lat>10ms op=write,flush',
  'not (pid=1 or comm~"my sql")',
  'error=EIO',
  'size>=64k && offset<1g',
];

describe('a filter that is being typed', () => {
  it.each(RIGHT)('typing the filter %j never shows an error on the way', (text) => {
    for (let end = 1; end < text.length; end++)
      expect([text.slice(0, end), standing(text.slice(0, end))]).not.toEqual([
        text.slice(0, end),
        expect.stringContaining(':'),
      ]);
    expect(standing(text)).toBe('right');
  });

  it.each([
    ['', 'empty'],
    ['  ', 'empty'],
    ['di', 'unfinished'],
    ['disk', 'unfinished'],
    ['disk=', 'unfinished'],
    ['lat>10', 'unfinished'],
    ['op=wr', 'unfinished'],
    ['comm!', 'unfinished'],
    ['(disk=sda', 'unfinished'],
    ['comm="my', 'unfinished'],
    ['disk=sda o', 'unfinished'],
    ['disk=sda |', 'unfinished'],
    ['error=EI', 'unfinished'],
  ])('the filter %j is %s', (text, expected) => {
    expect(standing(text)).toBe(expected);
  });

  it.each([
    ['dsk', '0: no field "dsk"; did you mean disk?'],
    ['di ', '0: "di" is not a field; for a process of that name type comm~di'],
    ['lat>10 ', '4: a latency needs a unit; try 10ms'],
    ['op=wx', '3: no op "wx"; values are'],
    ['disk=sda lat>10x', '13: "10x" is not a latency such as 10ms or 150us'],
    ['pid=1)', '5: no matching "("'],
  ])('the filter %j is wrong, with the reason', (text, expected) => {
    expect(standing(text)).toContain(expected);
  });

  it('a half-typed word at the cursor is not an error when it may still become right', () => {
    expect(standing('di op=read', 2)).toBe('unfinished');
    expect(standing('disk=sda op=rd', 8)).toContain('12: no op "rd"');
  });

  it('a typed filter is shown as right exactly when it can be applied', () => {
    const pieces = fc.constantFrom(
      'disk',
      '=',
      'sda',
      ' ',
      'lat',
      '>',
      '10ms',
      '(',
      ')',
      'or',
      '"',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        const isRight = ['right', 'empty'].includes(standing(text));
        expect(isRight).toBe(parseFilter(text).ok);
      }),
    );
  });
});
