import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openImport } from '../../../src/trace/import/open-import.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { importAll, importText, textInput } from './fixtures/import-text.ts';
import { must } from '../../must.ts';

const LINE = '0.000004    supervise      1950    xvda1     W 13092560   4096       0.74\n';

describe('a log', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ioheat-import-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('a log is read from a path and from an open descriptor alike', () => {
    const path = join(folder, 'log.txt');
    writeFileSync(path, LINE.repeat(10_000));
    const byPath = importAll({ kind: 'path', path });
    const fd = openSync(path, 'r');
    const byDescriptor = importAll({ kind: 'fd', fd });
    closeSync(fd);
    expect(byPath.rows).toHaveLength(10_000);
    expect(byDescriptor.rows).toEqual(byPath.rows);
  });

  it('a log that cannot be read is refused', () => {
    const opened = openImport({ kind: 'path', path: join(folder, 'none') }, new IdentityTable());
    expect(opened).toMatchObject({ ok: false, error: { exitCode: 1 } });
    expect(openImport({ kind: 'path', path: folder }, new IdentityTable()).ok).toBe(false);
  });

  it('a log in an unknown format is refused', () => {
    const opened = openImport(textInput('Dear Sir or Madam,\n'.repeat(10)), new IdentityTable());
    expect(opened).toMatchObject({ ok: false, error: { what: 'not in a recognized format' } });
  });

  it.each([1, 7, 64, 1000])(
    'a log read in pieces of %i bytes gives the same rows',
    (pieceBytes) => {
      const text = LINE.repeat(30);
      expect(importAll(textInput(text, pieceBytes)).rows).toEqual(importText(text).rows);
    },
  );

  it('the last line of a log needs no line end', () => {
    expect(importText(LINE.repeat(2).trimEnd()).rows).toHaveLength(2);
  });

  it('lines of a log may end with CR LF', () => {
    const { rows, problems } = importText(LINE.replace('\n', '\r\n').repeat(2));
    expect(rows).toHaveLength(2);
    expect(problems).toEqual([]);
  });

  it('a log may start with a UTF-8 byte order mark', () => {
    const { rows, problems } = importText(`\ufeff${LINE}${LINE}`);
    expect([rows.length, problems]).toEqual([2, []]);
  });

  it('a compressed log is refused with what to do', () => {
    const path = join(folder, 'log.gz');
    writeFileSync(path, gzipSync(LINE));
    expect(openImport({ kind: 'path', path }, new IdentityTable())).toMatchObject({
      error: { why: 'it is compressed', remedy: expect.stringContaining('zcat') as string },
    });
  });

  it('a log that has only its heading is empty', () => {
    const { header, rows } = importText(
      'TIME(s)     COMM           PID     DISK      T SECTOR     BYTES  LAT(ms)\n',
    );
    expect(header.writer).toBe('biosnoop (bcc)');
    expect(rows).toEqual([]);
  });

  it('a disk has the same number in every log', () => {
    const [one, two] = [LINE, LINE.replace('xvda1', 'other') + LINE].map((text) =>
      importText(text).rows.find(({ disk }) => disk === 'xvda1'),
    );
    expect(one?.key.dev).toBe(two?.key.dev);
  });

  it('damaged lines of a log are counted and the first is quoted', () => {
    const { rows, problems } = importText(`${LINE}${LINE.slice(20)}${LINE}nonsense\n${LINE}`);
    expect(rows).toHaveLength(3);
    expect(problems).toMatchObject([
      { where: 'line 2', count: 2, quote: LINE.slice(20).trimEnd() },
    ]);
  });
});

describe('a stream', () => {
  it('a log that is a stream waits while nothing new has come', () => {
    const pieces = [
      LINE,
      'waiting',
      'waiting',
      LINE.slice(0, 30),
      'waiting',
      LINE.slice(30),
      'ended',
    ] as const;
    let at = 0;
    const next = () => {
      const piece = pieces[at++] ?? 'ended';
      return piece === 'waiting' || piece === 'ended' ? piece : Buffer.from(piece);
    };
    const opened = must(
      openImport({ kind: 'bytes', first: new Uint8Array(), next }, new IdentityTable()),
    );
    const states = Array.from({ length: 5 }, () => {
      const chunk = opened.next();
      return typeof chunk === 'string' ? chunk : chunk.rows.length;
    });
    expect(states).toEqual([1, 'waiting', 1, 'ended', 'ended']);
  });
});
