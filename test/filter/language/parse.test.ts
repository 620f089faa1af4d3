import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_FILTER, term } from '../../../src/filter/filter.ts';
import { OPERATORS } from '../../../src/filter/operators.ts';
import { FILTER_FIELDS, findField } from '../../../src/filter/fields.ts';
import { formatFilter } from '../../../src/filter/language/format.ts';
import { parseFilter } from '../../../src/filter/language/parse.ts';
import type { FilterError } from '../../../src/filter/language/parse.ts';
import { anyFilter, parsed } from '../fixtures.ts';

function refusal(text: string): FilterError {
  const result = parseFilter(text);
  if (result.ok) throw new Error(`"${text}" is a filter: ${formatFilter(result.value)}`);
  return result.error;
}

function canonical(text: string): string {
  return formatFilter(parsed(text));
}

describe('the text of a filter', () => {
  it('filter terms next to each other must all hold', () => {
    expect(parsed('disk=sda op=write lat>10ms')).toEqual({
      kind: 'and',
      conditions: [
        term('disk', '=', 'sda'),
        term('op', '=', 'write'),
        term('lat', '>', 10_000_000),
      ],
    });
  });

  it('a filter with many kinds of terms is parsed', () => {
    const text = 'disk=sda op=write lat>10ms comm~mysql size>=64k offset<10g not pid=1';
    expect(canonical(text)).toBe(
      'disk=sda op=write lat>10ms comm~mysql size>=64k offset<10g pid!=1',
    );
  });

  it('an empty filter matches everything', () => {
    expect(parsed('')).toEqual(NO_FILTER);
    expect(parsed(' \t')).toEqual(NO_FILTER);
    expect(formatFilter(NO_FILTER)).toBe('');
  });

  it('in filters, not binds closer than and, and and closer than or', () => {
    expect(canonical('op=read or op=write and not lat>1ms')).toBe(
      'op=read or op=write not lat>1ms',
    );
    expect(parsed('op=read pid=1 or pid=2')).toEqual(parsed('(op=read pid=1) or pid=2'));
    expect(canonical('op=read (pid=1 or pid=2)')).toBe('op=read (pid=1 or pid=2)');
    expect(canonical('not (pid=1 or lat>1ms) && !op=read')).toBe('not (pid=1 or lat>1ms) op!=read');
  });

  it('filter operators can be words or signs, in upper or lower case', () => {
    const plain = parsed('op=read and pid!=1 or not lat<1s');
    expect(parsed('op==read && pid != 1 || !lat < 1s')).toEqual(plain);
    expect(parsed('OP = Read AND Pid!=1 OR NOT Latency<1S')).toEqual(plain);
  });

  it('parsing a filter removes double negation and needless parentheses', () => {
    expect(parsed('not not op=read')).toEqual(parsed('op=read'));
    expect(parsed('not not not lat>1ms')).toEqual(parsed('not lat>1ms'));
    expect(parsed('!!(op=read)')).toEqual(parsed('op=read'));
    expect(parsed('(((op=read) pid=1) (disk=sda tid=2))')).toEqual(
      parsed('op=read pid=1 disk=sda tid=2'),
    );
  });

  it('an I/O without latency matches neither a comparison nor its opposite', () => {
    expect(parsed('not lat>1ms')).not.toEqual(parsed('lat<=1ms'));
  });

  it('a filter term may list alternative values', () => {
    expect(canonical('disk = sda , sdb comm!~x,y')).toBe('disk=sda,sdb comm!~x,y');
  });

  it('quotes allow any text as a filter value', () => {
    const names = ['Web Content', 'a"b', 'back\\slash ', '\u001b[2J', 'a,b', '', '(x)', 'or'];
    const filter = term('comm', '=', ...names);
    expect(formatFilter(filter)).toBe(
      'comm="Web Content","a\\"b","back\\\\slash ","\\u001b[2J","a,b","","(x)",or',
    );
    expect(parsed(formatFilter(filter))).toEqual(filter);
    expect(parsed('comm="a\\b"')).toEqual(term('comm', '=', 'ab'));
  });

  it('field names and keywords may be filter values after an operator', () => {
    expect(parsed('comm=or comm=lat')).toEqual(parsed('comm="or" comm="lat"'));
  });

  it.each([
    ['lat>1500us', 'lat>1.5ms'],
    ['lat>0.0015s', 'lat>1.5ms'],
    ['lat>1234567ns', 'lat>1.234567ms'],
    ['lat>0ns', 'lat>0ns'],
    ['lat>150µs', 'lat>150us'],
    ['size>=65536', 'size>=64k'],
    ['size>=64KiB', 'size>=64k'],
    ['size=1537', 'size=1537'],
    ['size=0', 'size=0'],
    ['offset<1024g', 'offset<1t'],
    ['sector<123456789', 'sector<123456789'],
    ['disk=/dev/nvme0n1', 'disk=nvme0n1'],
    ['disk=259:0', 'disk=259:0'],
    ['error=-5', 'error=5'],
    ['error=eio', 'error=5'],
    ['error=ENOENT,EACCES', 'error=2,13'],
    ['error=ANY', 'error=any'],
    ['device>1ms queue>1ms total>1ms', 'dlat>1ms qlat>1ms lat>1ms'],
    ['tgid=1 flags=FUA', 'pid=1 flag=fua'],
  ])('the filter %s is printed as %s', (text, printed) => {
    expect(canonical(text)).toBe(printed);
  });

  it('a filter that is printed and parsed again, also as JSON, is the same', () => {
    fc.assert(
      fc.property(anyFilter, (filter) => {
        expect(parsed(formatFilter(filter))).toEqual(filter);
        expect(JSON.parse(JSON.stringify(filter))).toEqual(filter);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('an error in a filter', () => {
  it.each([
    // Text, the place, and a part of the message.
    ['dsk=sda', '^^^', 'did you mean disk?'],
    ['disk=sda sdb', '         ^^^', '"sdb" is not a field; type disk=sda,sdb or comm~sdb'],
    ['op!=read write', '         ^^^^^', 'type op!=read,write or comm~write'],
    ['op=read mysqld', '        ^^^^^^', 'for a process of that name type comm~mysqld'],
    ['colour=red', '^^^^^^', 'no field "colour"; fields are disk, host, op'],
    ['mysqld', '^^^^^^', 'type comm~mysqld'],
    ['disk', '    ^', 'expected = != ~ !~ after disk'],
    ['disk sda', '     ^^^', 'expected = != ~ !~ after disk'],
    ['disk=', '     ^', 'expected the whole disk, by its name'],
    ['op=', '   ^', 'expected read, write, flush, discard, other'],
    ['op=wirte', '   ^^^^^', 'did you mean write?'],
    ['op=trim', '   ^^^^', 'values are read, write'],
    ['op>read', '  ^', 'op takes = !=, not >'],
    ['op~read', '  ^', 'op takes = !=, not ~'],
    ['lat~5ms', '   ^', 'lat takes = != < <= > >=, not ~'],
    ['op=read lat>10', '            ^^', 'a latency needs a unit; try 10ms'],
    ['lat>10m', '    ^^^', 'try 10ms'],
    ['lat>10 ms', '    ^^', 'try 10ms'],
    ['lat>1h', '    ^^', 'not a latency'],
    ['device=sda', '       ^^^', 'for a disk use disk='],
    ['size>big', '     ^^^', 'not a size'],
    ['size>99999999t', '     ^^^^^^^^^', 'too large'],
    ['pid=mysqld', '    ^^^^^^', 'for a name use comm~'],
    ['pid=1.5', '    ^^^', 'not a whole number'],
    ['error=bad', '      ^^^', 'any, none, or an errno'],
    ['lat>1ms,2ms', '       ^', '> takes one value'],
    ['disk=sda,', '         ^', 'expected the whole disk'],
    ['disk=,sda', '     ^', 'expected the whole disk'],
    ['lat=>1ms', '   ^^', 'did you mean >=?'],
    ['op=!read', '  ^^', 'did you mean !=?'],
    ['lat<>1ms', '   ^^', 'not a comparison; use one of'],
    ['(op=read', '^', 'never closed'],
    ['op=read)', '       ^', 'no matching "("'],
    ['()', ' ^', 'expected a condition'],
    ['op=read or', '          ^', 'expected a condition'],
    ['op=read or or', '           ^^', 'expected a condition'],
    ['and op=read', '^^^', 'expected a condition'],
    ['not', '   ^', 'expected a condition'],
    ['op=read & pid=1', '        ^', 'use && or ||'],
    ['op=read , pid=1', '          ^^^', 'values are read, write'],
    ['(disk~sd), nvme', '         ^', 'lists of values follow = != ~ or !~'],
    ['op=read = pid=1', '        ^', 'expected another condition'],
    ['(op=read = 1)', '         ^', 'expected another condition'],
    ['comm="a', '     ^^', 'never closed'],
    ['=', '^', 'expected a condition'],
  ])('the error in the filter %s is placed and explained', (text, marks, message) => {
    const error = refusal(text);
    expect(error.message).toContain(message);
    expect(`${' '.repeat(error.column)}${'^'.repeat(error.length)}`).toBe(marks);
  });

  it('a filter error stays short however long the text', () => {
    for (const text of ['x', 'x=1', 'lat>x', 'size>x', 'pid=x', 'op=x', 'error=x', 'lat>1']) {
      const long = text.replace(/[x1]/, (c) => c.repeat(100_000));
      expect(refusal(long).message.length).toBeLessThan(250);
    }
  });

  it('deeply nested filters are refused before the stack overflows', () => {
    expect(refusal('('.repeat(100_000)).message).toContain('too many nested parentheses');
    expect(refusal('not '.repeat(100_000)).message).toContain('expected a condition');
    expect(canonical(`${'!'.repeat(100_001)}op=read`)).toBe('op!=read');
    expect(canonical(`${'('.repeat(100)}op=read${')'.repeat(100)}`)).toBe('op=read');
  });
});

describe('any text at all', () => {
  const pieces = [
    ...FILTER_FIELDS.map(({ name }) => name),
    ...OPERATORS,
    ...[
      'and',
      'or',
      'not',
      '&&',
      '||',
      '!',
      '(',
      ')',
      ',',
      '"',
      '\\',
      ' ',
      '&',
      '10ms',
      '64k',
      'x',
    ],
  ];

  it('any text is a filter or has an error at a place inside it or at its end', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((words) => words.join('')),
      fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((words) => words.join(' ')),
    );
    fc.assert(
      fc.property(text, (any) => {
        const result = parseFilter(any);
        if (result.ok) {
          expect(parsed(formatFilter(result.value))).toEqual(result.value);
          return;
        }
        const { column, length, message } = result.error;
        expect(column).toBeGreaterThanOrEqual(0);
        expect(length).toBeGreaterThanOrEqual(1);
        expect(column + length).toBeLessThanOrEqual(any.length + 1);
        expect(message).not.toBe('');
      }),
      { numRuns: 5000 },
    );
  });
});

describe('the table of fields', () => {
  it('no two filter fields share a name', () => {
    const words = FILTER_FIELDS.flatMap(({ name, aliases }) => [name, ...aliases]);
    expect(new Set(words).size).toBe(words.length);
    for (const word of words) expect(findField(word)?.name).toBeDefined();
  });

  it('the filter parser accepts all suggested values of a field', () => {
    for (const { name, choices } of FILTER_FIELDS)
      for (const { text } of choices) expect(canonical(`${name}=${text}`)).toBe(`${name}=${text}`);
  });
});
