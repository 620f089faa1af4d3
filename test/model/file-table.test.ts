import { describe, expect, it } from 'vitest';
import {
  fileText,
  folderText,
  isKnownFile,
  isMergedFiles,
  MERGED_FILES,
  NO_FILE,
  OTHER_FILES,
  UNKNOWN_FILE,
} from '../../src/model/file.ts';
import type { FileFacts } from '../../src/model/file.ts';
import { FileTable } from '../../src/model/file-table.ts';

const FILE = { kind: 'file', dev: 8 << 20, inode: 12, generation: 1 } as const;

describe('the table of files', () => {
  it('the table of files knows a file by its number, file system and generation', () => {
    const files = new FileTable();
    const first = files.intern({ ...FILE, path: '/a' });
    expect(files.intern(FILE)).toBe(first);
    const others = [{ inode: 13 }, { dev: 9 << 20 }, { generation: 2 }];
    const numbers = others.map((change) => files.intern({ ...FILE, ...change }));
    expect(new Set([first, ...numbers]).size).toBe(4);
    expect(files.get(first).path).toBe('/a');
  });

  it('the table of files takes the path that comes later, and the one after a rename', () => {
    const files = new FileTable();
    const number = files.intern(FILE);
    expect(fileText(files.get(number))).toBe('inode 12 of 8:0');
    files.intern({ ...FILE, path: '/a' });
    expect(fileText(files.get(number))).toBe('/a');
    expect(files.renames).toBe(1);
    files.intern({ ...FILE, path: '/b' });
    expect([files.get(number).path, files.renames]).toEqual(['/b', 2]);
  });

  it('the table of files has words for what is not a file', () => {
    const files = new FileTable();
    const nothing = { dev: 0, inode: 0, generation: 0 };
    expect(fileText(files.get(UNKNOWN_FILE))).toBe('(unknown)');
    expect(fileText(files.get(NO_FILE))).toBe('(flush, discard)');
    expect(fileText(files.get(files.intern({ kind: 'swap', ...nothing })))).toBe('(swap)');
    expect(files.intern({ kind: 'unknown', ...nothing })).toBe(UNKNOWN_FILE);
  });

  it('the table of files counts files beyond its capacity together', () => {
    const files = new FileTable(4);
    expect(files.intern(FILE)).toBe(3);
    expect(files.intern({ ...FILE, inode: 13 })).toBe(OTHER_FILES);
    expect(files.intern({ ...FILE, inode: 14 })).toBe(OTHER_FILES);
    expect(fileText(files.get(OTHER_FILES))).toBe('(other files)');
    expect(files.intern(FILE)).toBe(3);
  });

  it('the table of files keeps its last numbers for files that come often, with the path that came first', () => {
    const files = new FileTable(16);
    for (let inode = 1; inode <= 11; inode++) files.internOfIo({ ...FILE, inode });
    expect(files.isOther(files.internOfIo({ ...FILE, inode: 50, path: '/busy' }))).toBe(true);
    for (let times = 2; times < 16; times++)
      expect(files.isOther(files.internOfIo({ ...FILE, inode: 50 }))).toBe(true);
    const busy = files.internOfIo({ ...FILE, inode: 50 });
    expect(fileText(files.get(busy))).toBe('/busy');
    expect(files.internOfIo({ ...FILE, inode: 51 })).toBe(OTHER_FILES);
    // What a recording has is not counted by I/O.
    expect(files.intern({ ...FILE, inode: 52 })).toBe(busy + 1);
    expect(files.isFull).toBe(true);
  });

  it('files beyond the capacity of the table share the number of their folder, also when an I/O comes without the path', () => {
    const files = new FileTable(32);
    for (let inode = 1; !files.isFull; inode++) files.intern({ ...FILE, inode });
    const number = (inode: number, path?: string): number =>
      files.internOfIo({ ...FILE, inode: 1000 + inode, path });
    const mail = number(1, '/mail/a');
    expect(fileText(files.get(mail))).toBe('/mail/(other files)');
    expect(folderText(files.get(mail))).toBe('/mail/');
    expect([number(1), number(2, '/mail/b (deleted)'), number(2)]).toEqual([mail, mail, mail]);
    expect(number(3)).toBe(OTHER_FILES);
    expect([mail, OTHER_FILES, 3].map((one) => files.isOther(one))).toEqual([true, true, false]);
    expect([mail, 3].map((one) => isKnownFile(files.get(one)))).toEqual([false, true]);
  });

  it('files beyond the capacity of the table have a folder for each file system, as long as there is room for folders', () => {
    const files = new FileTable(32);
    for (let inode = 1; !files.isFull; inode++) files.intern({ ...FILE, inode });
    const of = (change: Partial<FileFacts>): number =>
      files.internOfIo({ ...FILE, inode: 1000, path: '/mail/a', ...change });
    const [here, elsewhere] = [of({}), of({ dev: 9 << 20 })];
    expect(elsewhere).not.toBe(here);
    expect(of({ inode: 1001, path: '/srv/a' })).toBe(OTHER_FILES);
    expect([of({}), of({ dev: 9 << 20 })]).toEqual([here, elsewhere]);
  });

  it('a file that comes often has the number of its folder at first, and then one of its own', () => {
    const files = new FileTable(16);
    for (let inode = 1; inode <= 11; inode++) files.internOfIo({ ...FILE, inode });
    const first = files.internOfIo({ ...FILE, inode: 50, path: '/srv/busy' });
    const later = Array.from({ length: 15 }, () => files.internOfIo({ ...FILE, inode: 50 }));
    expect(new Set(later.slice(0, 14))).toEqual(new Set([first]));
    expect([first, later[14]!].map((number) => fileText(files.get(number)))).toEqual([
      '/srv/(other files)',
      '/srv/busy',
    ]);
  });

  it('the table of files finds the first file of a request that has bytes of several', () => {
    const files = new FileTable();
    const merged = files.intern({ ...FILE, path: '/a' }) + MERGED_FILES;
    expect(files.get(merged).path).toBe('/a');
    expect([isMergedFiles(merged), isMergedFiles(merged - MERGED_FILES)]).toEqual([true, false]);
  });
});
