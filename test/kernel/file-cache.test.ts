import { describe, expect, it } from 'vitest';
import { Dimension, FileKind, FileName, IoCompletion, Layer } from '../../src/kernel/abi/layout.ts';
import { inWords } from '../../src/kernel/abi/in-words.ts';
import { FileCache } from '../../src/kernel/live/file-cache.ts';
import { MountPaths } from '../../src/kernel/live/mount-paths.ts';
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

describe('the files of records', () => {
  it.each([7n, 2n ** 60n + 1n, 2n ** 63n + 2n])(
    'the files of records are told apart from inode number %d on',
    (first) => {
      const now = (): number => 0;
      const files = new FileTable();
      const mount = { dev: DEV, point: '/srv', root: '/', kind: 'overlay', source: 'overlay' };
      const cache = new FileCache(files, new MountPaths(now, () => [mount]), now);
      cache.takeName(nameOf(first, 'a'), 0);
      cache.takeName(nameOf(first + 1n, 'b'), 0);
      const paths = [first, first + 1n, first].map(
        (inode) => files.get(cache.number(recordOf(inode), 0)).path,
      );
      expect(paths).toEqual(['/srv/a', '/srv/b', '/srv/a']);
    },
  );
});
