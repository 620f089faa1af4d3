import { describe, expect, test } from 'vitest';
import { compileFilter } from '../../src/filter/match/match.ts';
import { Verdict } from '../../src/filter/verdict.ts';
import { kernelPart } from '../../src/filter/match/kernel-filter.ts';
import { sanitizeText } from '../../src/base/sanitize.ts';
import { formatWord } from '../../src/filter/language/words.ts';
import { fileText, MERGED_FILES, NO_FILE, OTHER_FILES } from '../../src/model/file.ts';
import { columnsOf, createInfo, keyOf } from '../history/fixtures.ts';
import { parseFilter } from '../../src/filter/language/parse.ts';
import { formatFilter } from '../../src/filter/language/format.ts';
import { term } from '../../src/filter/filter.ts';
import type { Filter } from '../../src/filter/filter.ts';
import { must } from '../must.ts';

function parsed(text: string): Filter {
  return must(parseFilter(text));
}

/** Of an I/O of a log file, a table file, of a request that starts with the log file, of swap, and of an unknown one. */
function setUp() {
  const info = createInfo([keyOf()]);
  const { files } = info.identities;
  const file = (inode: number, path: string) =>
    files.intern({ kind: 'file', dev: 1, inode, generation: 0, path });
  const log = file(1, '/var/log/syslog');
  const table = file(2, '/srv/db/orders');
  const swap = files.intern({ kind: 'swap', dev: 0, inode: 0, generation: 0 });
  const rows = columnsOf(
    [log, table, log + MERGED_FILES, swap, 0].map((number) => ({ file: number, key: 0 })),
  );
  const passing = (text: string): boolean[] => {
    const filter = compileFilter(parsed(text), info.identities, info);
    return [...filter.judgeRows(rows, 0, 5)].map((verdict) => verdict === Verdict.yes);
  };
  return { info, files, passing };
}

describe('filters on files', () => {
  test('file= takes a whole path, file~ a part of it or a pattern', () => {
    const { passing } = setUp();
    expect(passing('file=/var/log/syslog')).toEqual([true, false, true, false, false]);
    expect(passing('file=syslog')).toEqual([false, false, false, false, false]);
    expect(passing('file~SYSLOG')).toEqual([true, false, true, false, false]);
    expect(passing('file~/srv/*')).toEqual([false, true, false, false, false]);
    expect(passing('path~/srv/*,/var/*')).toEqual([true, true, true, false, false]);
  });

  test('folder= takes the folder of a file with or without its slash, folder~ also the folders in it', () => {
    const { passing } = setUp();
    for (const folder of ['/var/log', '/var/log/'])
      expect(passing(`folder=${folder}`)).toEqual([true, false, true, false, false]);
    expect(passing('folder=/var')).toEqual([false, false, false, false, false]);
    expect(passing('folder~/var/*')).toEqual([true, false, true, false, false]);
    expect(passing('folder~/srv/db/*')).toEqual([false, true, false, false, false]);
    expect(passing('folder!=/var/log')).toEqual([false, true, false, true, true]);
  });

  test('folder~ takes a folder as it is on the screen, with or without its slash', () => {
    const { files, passing } = setUp();
    const path = '/srv/tab\there/a';
    files.intern({ kind: 'file', dev: 1, inode: 1, generation: 0, path });
    for (const folder of ['*/tab here', '*/tab here/', '/srv/tab*'])
      expect(passing(`folder~"${folder}"`), folder).toEqual([true, false, true, false, false]);
    expect(passing('folder="/srv/tab here"')).toEqual([false, false, false, false, false]);
  });

  test('what is not a file goes by its word', () => {
    const { passing } = setUp();
    expect(passing('file=swap')).toEqual([false, false, false, true, false]);
    expect(passing('file="(swap)"')).toEqual([false, false, false, true, false]);
    const { info, files } = setUp();
    const flush = formatFilter(term('file', '=', fileText(files.get(NO_FILE))));
    const filter = compileFilter(parsed(flush), info.identities, info);
    expect(filter.judgeRows(columnsOf([{ file: NO_FILE, key: 0 }]), 0, 1)[0]).toBe(Verdict.yes);
    expect(passing('file=unknown')).toEqual([false, false, false, false, true]);
    expect(passing('file!=swap')).toEqual([true, true, true, false, true]);
    expect(passing('not file~log pid=1')).toEqual([false, true, false, true, true]);
  });

  test('file~ takes a path as the screen shows it, with ? for what terminals do not draw alike', () => {
    const { info, files } = setUp();
    const paths = ['/d/esc\u001b[2Jx', '/d/tab\there', '/d/日本.txt', String.raw`/d/caf\351`];
    const rows = columnsOf(
      paths.map((path, i) => ({
        file: files.intern({ kind: 'file', dev: 1, inode: 20 + i, generation: 0, path }),
        key: 0,
      })),
    );
    for (const [i, path] of paths.entries())
      for (const operator of ['~', '!~']) {
        const text = `file${operator}${formatWord(sanitizeText(path))}`;
        const filter = compileFilter(parsed(text), info.identities, info);
        const isOf = (row: number): boolean => (row === i) === (operator === '~');
        expect([...filter.judgeRows(rows, 0, paths.length)], text).toEqual(
          paths.map((_, row) => (isOf(row) ? Verdict.yes : Verdict.no)),
        );
      }
    const quoted = compileFilter(parsed(String.raw`file="/d/caf\351"`), info.identities, info);
    expect(quoted.judgeRows(rows, 3, 4)[0]).toBe(Verdict.yes);
    const raw = compileFilter(parsed('file="/d/tab here"'), info.identities, info);
    expect(raw.judgeRows(rows, 1, 2)[0]).toBe(Verdict.no);
  });

  test('a path that comes later counts from then on', () => {
    const { info, files } = setUp();
    const number = files.intern({ kind: 'file', dev: 1, inode: 9, generation: 0 });
    const rows = columnsOf([{ file: number, key: 0 }]);
    const filter = compileFilter(parsed('file=/new'), info.identities, info);
    expect(filter.judgeRows(rows, 0, 1)[0]).toBe(Verdict.no);
    files.intern({ kind: 'file', dev: 1, inode: 9, generation: 0, path: '/new' });
    expect(filter.judgeRows(rows, 0, 1)[0]).toBe(Verdict.yes);
  });

  test('filters on files do not know the answer for I/O that is only counted, nor for files counted together', () => {
    const { info } = setUp();
    const filter = compileFilter(parsed('file~log'), info.identities, info);
    expect(filter.asksSingleIo).toBe(true);
    expect(filter.judge(0)).toBe(Verdict.maybe);
    const rows = columnsOf([{ file: OTHER_FILES, key: 0 }]);
    expect(filter.judgeRows(rows, 0, 1)[0]).toBe(Verdict.maybe);
  });

  test('of files of which only the folder is known, a filter on paths knows the answer where the folder says it', () => {
    const { info, files } = setUp();
    const facts = {
      kind: 'file',
      dev: 1,
      inode: 0,
      generation: 0,
      path: '/srv/Mail box/',
    } as const;
    const rows = columnsOf([{ file: files.intern(facts), key: 0 }]);
    const verdict = (text: string): Verdict =>
      compileFilter(parsed(text), info.identities, info).judgeRows(rows, 0, 1)[0] as Verdict;
    const verdicts: Record<string, Verdict> = {
      'folder="/srv/Mail box"': Verdict.yes,
      'folder=/srv': Verdict.no,
      'folder!=/srv': Verdict.yes,
      'folder~/srv/*': Verdict.yes,
      'file="/srv/Mail box/(other files)"': Verdict.yes,
      'file="/srv/Mail box/a"': Verdict.maybe,
      'file!="/srv/Mail box/a"': Verdict.maybe,
      'file="/srv/Mail box/in/a"': Verdict.no,
      'file=/srv/db/a,/srv/db/b': Verdict.no,
      'file!=/srv/db/a': Verdict.yes,
      'file~box': Verdict.yes,
      'file!~box': Verdict.no,
      'file~/srv/*': Verdict.yes,
      'file~/SRV/mail*': Verdict.yes,
      'file~/srv/*.log': Verdict.maybe,
      'file~/srv/*/': Verdict.maybe,
      'file~/srv/db/*': Verdict.no,
      'file!~/srv/db/*': Verdict.yes,
      'file~log,box': Verdict.yes,
      'file~log': Verdict.maybe,
      'file~other': Verdict.maybe,
      'file~*.log': Verdict.maybe,
      'file=swap': Verdict.no,
    };
    const found = Object.keys(verdicts).map((text) => [text, verdict(text)]);
    expect(Object.fromEntries(found)).toEqual(verdicts);
  });

  test('the kernel is not asked for files', () => {
    expect(kernelPart(parsed('file=/a op=read'), [])).toEqual({ opClasses: ['read'] });
    expect(kernelPart(parsed('file=/a or op=read'), [])).toEqual({});
  });
});
