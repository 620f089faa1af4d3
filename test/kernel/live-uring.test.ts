import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readKernelBtf } from '../../src/kernel/abi/btf.ts';
import { callOf } from '../../src/model/call.ts';
import { flagsText } from '../../src/model/request-text.ts';
import { buildSlowFile, SlowDisk } from '../load/slow-file/slow-file.ts';
import { needs } from '../needs.ts';
import type { BundledEntry } from './fixtures/bundle-entry.ts';
import {
  CallTrace,
  DISK_BYTES,
  makeFile,
  useCallTrace,
  type FioCalls,
} from './fixtures/call-trace.ts';
import { must } from '../must.ts';

const SCRIPT = join(import.meta.dirname, '../load/uring-calls.py');
/** From the page cache, the result is there when the submission returns: `clat` is nothing then. */
const FIO: FioCalls = {
  engine: 'io_uring',
  clock: 'lat_ns',
  read: 'uring-read',
  write: 'uring-write',
};

/** Whether a request to splice keeps the registered file that it reads from. */
function knowsSplicedNode(): boolean {
  const types = must(readKernelBtf());
  return types.members('io_splice')?.some(({ name }) => name === 'rsrc_node') === true;
}

describe('calls through io_uring', needs('tracing'), () => {
  const trace = useCallTrace();

  it(
    'from the page cache are seen as well, though no disk sees them',
    needs({ program: 'fio' }),
    () => {
      trace().compareWithFio(FIO, '--invalidate=0 --iodepth=1', 1 << 20);
    },
  );

  it('are those that the program made, in order, with the result and the position of each', () => {
    const printed = trace().run(
      `python3 ${SCRIPT} ${knowsSplicedNode() ? 'registered' : ''}; rm -f appended spliced`,
    );
    const seen = trace()
      .take('python3')
      .filter(({ key }) => callOf(key)?.startsWith('uring-'));
    const lines = seen.map(
      ({ key, result, fileOffset }) =>
        `${callOf(key)}=${result}${Number.isNaN(fileOffset) ? '' : ` ${fileOffset}`}`,
    );
    expect(lines).toEqual(printed.trimEnd().split('\n'));
    const opens = seen.filter(({ key }) => callOf(key) === 'uring-openat');
    expect(opens.map(({ key }) => flagsText(key))).toEqual(['O_RDWR|O_CREAT', 'O_RDONLY']);
    const nameOf = (path = ''): string => path.replace(/ of [\d:]+( \(deleted\))?$/, '');
    const files = seen.map(({ key, file }) => `${callOf(key)} ${nameOf(file.path)}`);
    for (const one of [
      'uring-openat /made',
      'uring-fsync /made',
      'uring-close /made',
      'uring-openat missing',
      'uring-statx made',
      'uring-mkdirat folder',
      'uring-renameat made',
      'uring-symlinkat symbolic',
      'uring-unlinkat second',
      'uring-unlinkat missing',
      'uring-write /appended',
    ])
      expect(files).toContain(one);
    const spliced = files.filter((one) => one.startsWith('uring-splice'));
    expect(new Set(spliced)).toEqual(new Set(['uring-splice /spliced']));
  });

  it('that find the ring full are counted, and none is lost', needs({ program: 'fio' }), () => {
    trace().expectCounted(
      'fio --name=job --filename=file --size=16m --bs=4k --thread --ioengine=io_uring --rw=randread --loops=5 --invalidate=0 --minimal',
      20_000,
    );
  });
});

describe('calls through io_uring to a slow disk', needs('tracing', { program: 'fio' }), () => {
  // At this depth, results wait while fio submits the next ones: a small part of what this disk takes.
  const DELAY_US = 5000;
  let program: BundledEntry;
  let disk: SlowDisk;
  let trace: CallTrace;
  beforeAll(async () => {
    program = await buildSlowFile();
    disk = await SlowDisk.start(program, DISK_BYTES);
    makeFile(disk.loop);
    await disk.setRules([{ start: 0, end: DISK_BYTES, delayUs: DELAY_US }]);
    trace = new CallTrace(disk.loop);
  });
  afterAll(async () => {
    trace.dispose();
    await disk.dispose();
    program.dispose();
  });

  it('of fio, past the page cache, are as many and take as long as it says', () => {
    trace.compareWithFio(FIO, '--direct=1 --iodepth=8', 16_384);
  });

  it('with buffers that were registered before are seen by their own names', () => {
    const fixed = { ...FIO, read: 'uring-read-fixed', write: 'uring-write-fixed' } as const;
    trace.compareWithFio(fixed, '--direct=1 --iodepth=8 --fixedbufs --registerfiles', 16_384);
  });
});
