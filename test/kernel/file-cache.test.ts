import { describe, expect, it } from 'vitest';
import {
  Dimension,
  Extent,
  FileId,
  FileKind,
  FileName,
  Inflight,
  IoCompletion,
  Layer,
} from '../../src/kernel/abi/layout.ts';
import { inWords } from '../../src/kernel/abi/in-words.ts';
import { FileCache, type RequestFile } from '../../src/kernel/live/file-cache.ts';
import { InflightReader } from '../../src/kernel/live/inflight-reader.ts';
import { MountPaths } from '../../src/kernel/live/mount-paths.ts';
import { fileText } from '../../src/model/file.ts';
import { FileTable } from '../../src/model/file-table.ts';

const IO = inWords(IoCompletion.offsets);
const NAME = inWords(FileName.offsets);
const DEV = 49;

/** The record of a call on a file. */
function recordOf(inode: bigint): Uint32Array {
  const words = new Uint32Array(IoCompletion.bytes / 4);
  const flags =
    (FileKind.regular << Dimension.fileKindShift) | (Layer.calls << Dimension.ioLayerShift);
  words[IO.flags] = flags << 16;
  words[IO.fileDev] = DEV;
  new BigUint64Array(words.buffer)[IO.inode / 2] = inode;
  return words;
}

/** What is sent before the first record of a file. */
function nameOf(inode: bigint, name: string): Uint32Array {
  const words = new Uint32Array(FileName.bytes / 4);
  words[NAME.fileDev] = DEV;
  words[NAME.bytes] = name.length + 1;
  new BigUint64Array(words.buffer)[NAME.inode / 2] = inode;
  new Uint8Array(words.buffer).set(Buffer.from(name), 4 * NAME.path);
  return words;
}

/** The file of a request in flight, as it is in the maps. */
function inFlight(inode: bigint): RequestFile {
  const slot = new DataView(new ArrayBuffer(Inflight.bytes));
  for (const time of ['name', 'startNs', 'issueNs'] as const)
    slot.setBigUint64(Inflight.offsets[time], 1n, true);
  const id = new DataView(new ArrayBuffer(FileId.bytes));
  id.setBigUint64(FileId.offsets.inode, inode, true);
  id.setUint32(FileId.offsets.fileDev, DEV, true);
  id.setUint32(FileId.offsets.flags, FileKind.regular << Dimension.fileKindShift, true);
  const extents = new ArrayBuffer(Extent.bytes);
  const reader = new InflightReader({ inflight: slot.buffer, extents, files: id.buffer }, 1, 0n);
  return reader.list(10)[0]!.file!;
}

function cacheOf(files: FileTable): FileCache {
  const now = (): number => 0;
  const mount = { dev: DEV, point: '/srv', root: '/', kind: 'overlay', source: 'overlay' };
  return new FileCache(files, new MountPaths(now, () => [mount]), now);
}

describe('the files of records', () => {
  it.each([7n, 2n ** 60n + 1n, 2n ** 63n + 2n])(
    'the files of records are told apart from inode number %d on',
    (first) => {
      const files = new FileTable();
      const cache = cacheOf(files);
      cache.takeName(nameOf(first, 'a'), 0);
      cache.takeName(nameOf(first + 1n, 'b'), 0);
      const paths = [first, first + 1n, first].map(
        (inode) => files.get(cache.number(recordOf(inode), 0)).path,
      );
      expect(paths).toEqual(['/srv/a', '/srv/b', '/srv/a']);
    },
  );

  it('a file without a number of its own is in its folder from the name on that comes for it', () => {
    const files = new FileTable(32);
    const cache = cacheOf(files);
    for (let inode = 1; !files.isFull; inode++)
      files.intern({ kind: 'file', dev: DEV, inode, generation: 0 });
    const texts = ['before', 'after'].map((when) => {
      if (when === 'after') cache.takeName(nameOf(99n, 'a'), 0);
      return fileText(files.get(cache.number(recordOf(99n), 0)));
    });
    expect(texts).toEqual(['(other files)', '/srv/(other files)']);
  });

  it.each([7n, 2n ** 53n + 1n, 2n ** 63n + 2n])(
    'the file %d has the same number while its request is in flight and in its record',
    (inode) => {
      const cache = cacheOf(new FileTable());
      expect(cache.numberOf(inFlight(inode))).toBe(cache.number(recordOf(inode), 0));
    },
  );
});
