import { describe, expect, it } from 'vitest';
import { NO_CGROUP_NAMES } from '../../../src/model/cgroup-names.ts';
import { createColumns } from '../../../src/model/completion-columns.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { isMergedFiles, MERGED_FILES, NO_FILE } from '../../../src/model/file.ts';
import type { FileFacts } from '../../../src/model/file.ts';
import { FileBook } from '../../../src/trace/recording/format/file-book.ts';
import { RecordingEncoder } from '../../../src/trace/recording/format/recording-encoder.ts';
import { RecordingStream } from '../../../src/trace/recording/reading/open-recording.ts';
import { JoinedReader } from '../../../src/trace/replay/joined-reader.ts';
import type { NamedTrace } from '../../../src/trace/replay/join-traces.ts';
import { END_OF_STREAM } from '../../../src/trace/recording/arrow/arrow-message.ts';
import { bytesOf, HEADER } from './fixtures/record.ts';

const KEY = {
  ...{ dev: 8 << 20, cmdFlags: 0, tgid: 1, tid: 1 },
  ...{ comm: 'x', cgroup: 0, error: 0, marks: 0 },
};

function fileAt(inode: number, path?: string): FileFacts {
  return { kind: 'file', dev: 5, inode, generation: 1, path };
}

/** A recorder of I/Os of files; each call is a batch of its own. */
function recorder(host = 'db1') {
  const identities = new IdentityTable();
  const names = {
    devices: { device: () => undefined, devices: () => [] },
    cgroups: NO_CGROUP_NAMES,
  };
  const header = { ...HEADER, host };
  const encoder = new RecordingEncoder({ header, identities, names });
  const parts = [encoder.begin()];
  const record = async (...files: (FileFacts | number)[]): Promise<void> => {
    const rows = createColumns(files.length);
    files.forEach((file, row) => {
      rows.completeNs[row] = parts.length * 1000 + row;
      rows.identity[row] = identities.intern(KEY);
      rows.file[row] = typeof file === 'number' ? file : identities.files.intern(file);
    });
    rows.length = files.length;
    identities.files.see(rows);
    parts.push(await bytesOf(encoder.append(rows)), await bytesOf(encoder.flush(undefined)));
  };
  const recordAt = async (file: FileFacts, offsets: readonly number[]): Promise<void> => {
    const rows = createColumns(offsets.length);
    for (const [row, offset] of offsets.entries()) {
      rows.identity[row] = identities.intern(KEY);
      rows.file[row] = identities.files.intern(file);
      rows.fileOffset[row] = offset;
    }
    rows.length = offsets.length;
    parts.push(await bytesOf(encoder.append(rows)), await bytesOf(encoder.flush(undefined)));
  };
  const trace = (without: number[] = []): NamedTrace => {
    const table = new IdentityTable();
    const stream = new RecordingStream(table);
    for (const [index, part] of parts.entries()) if (!without.includes(index)) stream.feed(part);
    stream.feed(END_OF_STREAM);
    stream.end();
    const reader = stream.open();
    if (reader?.ok !== true) throw new Error('not a recording');
    return { name: host, reader: reader.value, identities: table };
  };
  return { record, recordAt, trace, identities };
}

/** The files of all rows, with `+` for bytes of further files. */
function filesOf({ reader, identities }: Pick<NamedTrace, 'reader' | 'identities'>): string[] {
  const found: string[] = [];
  for (let next = reader.next(); typeof next !== 'string'; next = reader.next())
    for (const file of next.rows.file.subarray(0, next.rows.length)) {
      const { kind, path, inode } = identities.files.get(file);
      found.push(`${path ?? (inode > 0 ? inode : kind)}${isMergedFiles(file) ? '+' : ''}`);
    }
  return found;
}

describe('the files in a recording', () => {
  it('the files in a recording are what each I/O was of: paths, what has none, and the mark of merged I/O', async () => {
    const { record, trace, identities } = recorder();
    const merged = identities.files.intern(fileAt(9, '/b')) + MERGED_FILES;
    await record(0, NO_FILE, fileAt(7, '/a'), { ...fileAt(0), kind: 'swap' }, merged);
    await record(fileAt(7), fileAt(8, '/c'));
    expect(filesOf(trace())).toEqual(['unknown', 'none', '/a', 'swap', '/b+', '/a', '/c']);
  });

  it('the files in a recording that had no number of their own are still told apart by folder', async () => {
    const { record, trace } = recorder();
    const others = [fileAt(0, '/mail/'), fileAt(0, '/srv/')];
    await record(...others, fileAt(7, '/mail/a'));
    await record(...others.toReversed());
    const kept = trace();
    expect(filesOf(kept)).toEqual(['/mail/', '/srv/', '/mail/a', '/srv/', '/mail/']);
    expect(kept.identities.files.isOther(3)).toBe(true);
  });

  it('the files in a recording have a path as soon as it is known, and the latest where it changes', async () => {
    const { record, trace } = recorder();
    await record(fileAt(7));
    await record(fileAt(7, '/a'));
    await record(fileAt(8, '/b'));
    await record(fileAt(7, '/renamed'));
    const kept = trace();
    expect(filesOf(kept)).toHaveLength(4);
    const { files } = kept.identities;
    const paths = Array.from({ length: files.size }, (_, number) => files.get(number).path);
    expect(paths.slice(3)).toEqual(['/renamed', '/b']);
  });

  it('the files in a recording keep the offset of an I/O, also beyond 4 GiB', async () => {
    const { trace, recordAt } = recorder();
    const offsets = [0, NaN, 4096, 2 ** 44 + 512];
    await recordAt(fileAt(7, '/a'), offsets);
    const { reader } = trace();
    const batch = reader.next();
    if (typeof batch === 'string') throw new Error(batch);
    expect([...batch.rows.fileOffset.subarray(0, 4)]).toEqual(offsets);
  });

  it('the files in a recording may have inode numbers of 64 bits', async () => {
    const { record, trace } = recorder();
    await record(fileAt(2 ** 63, '/a'), fileAt(2 ** 64 - 2 ** 11, '/b'));
    await record(fileAt(7, '/c'));
    expect(filesOf(trace())).toEqual(['/a', '/b', '/c']);
  });

  it('files in a recording were first seen when the recorder saw them, also before the recording', async () => {
    const { record, trace, identities } = recorder();
    const early = identities.files.intern(fileAt(7, '/a'));
    identities.files.seeAt(early, 12);
    await record(fileAt(8, '/b'), fileAt(7), fileAt(8), NO_FILE);
    await record(fileAt(8), fileAt(9));
    const kept = trace();
    expect(filesOf(kept)).toHaveLength(6);
    const { files } = kept.identities;
    const seen = Array.from({ length: files.size }, (_, number) => files.firstSeenNs(number));
    expect(seen).toEqual([undefined, undefined, undefined, 1000, 12, 3001]);
  });

  it('that were only in flight when they were written have the time once they are seen', () => {
    const table = new IdentityTable();
    const number = table.files.intern(fileAt(7, '/a'));
    const book = new FileBook(table.files);
    book.number(number);
    expect(book.takeNew().files.map(([, , seen]) => seen)).toEqual([undefined]);
    expect(book.takeNew().files).toEqual([]);
    table.files.seeAt(number, 42);
    expect(book.takeNew().files.map(([, , seen]) => seen)).toEqual([42]);
    expect(book.takeNew().files).toEqual([]);
  });

  it('the files in a later recording are first seen in the earlier one', async () => {
    const [one, two] = [recorder(), recorder()];
    await one.record(fileAt(7, '/a'));
    for (const file of [8, 9, 10]) await two.record(fileAt(file));
    await two.record(fileAt(7, '/a'));
    const identities = new IdentityTable();
    const reader = new JoinedReader([one.trace(), two.trace()], { identities, oneHost: false });
    expect(filesOf({ reader, identities })).toHaveLength(5);
    expect(identities.files.firstSeenNs(identities.files.intern(fileAt(7)))).toBe(1000);
  });

  it('files of two hosts with the same numbers stay apart in a recording', async () => {
    const [one, two] = [recorder('db1'), recorder('db2')];
    await one.record(fileAt(7, '/one'), NO_FILE);
    await two.record(fileAt(7, '/two'), 0);
    const identities = new IdentityTable();
    const reader = new JoinedReader([one.trace(), two.trace()], { identities, oneHost: false });
    expect(filesOf({ reader, identities }).sort()).toEqual(['/one', '/two', 'none', 'unknown']);
  });

  it('the files in a recording are unknown from where a lost batch defined them to the end of the epoch', async () => {
    const { record, trace } = recorder();
    await record(fileAt(7, '/a'));
    await record(fileAt(8, '/b'));
    await record(fileAt(7), fileAt(8), fileAt(9, '/c'));
    expect(filesOf(trace([3, 4]))).toEqual(['/a', 'unknown', 'unknown', 'unknown']);
  });
});
