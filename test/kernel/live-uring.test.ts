import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callOf } from '../../src/model/call.ts';
import { flagsText } from '../../src/model/request-text.ts';
import { needs } from '../needs.ts';
import { CallTrace, type FioCalls } from './fixtures/call-trace.ts';

const MIB = 1 << 20;
const SCRIPT = join(import.meta.dirname, '../load/uring-calls.py');
/** From the page cache, the result is there when the submission returns: `clat` is nothing then. */
const FIO: FioCalls = {
  engine: 'io_uring',
  clock: 'lat_ns',
  read: 'uring-read',
  write: 'uring-write',
};

describe('calls through io_uring', needs('tracing'), () => {
  let trace: CallTrace;
  beforeEach(() => {
    trace = new CallTrace();
  });
  afterEach(() => {
    trace.dispose();
  });

  it(
    'of fio, past the page cache, are as many and take as long as it says',
    needs({ program: 'fio' }),
    () => {
      trace.compareWithFio(FIO, '--direct=1 --iodepth=8', MIB);
    },
  );

  it(
    'from the page cache are seen as well, though no disk sees them',
    needs({ program: 'fio' }),
    () => {
      trace.compareWithFio(FIO, '--invalidate=0 --iodepth=1', MIB);
    },
  );

  it(
    'with buffers that were registered before are seen by their own names',
    needs({ program: 'fio' }),
    () => {
      const fixed = { ...FIO, read: 'uring-read-fixed', write: 'uring-write-fixed' } as const;
      trace.compareWithFio(fixed, '--direct=1 --iodepth=8 --fixedbufs --registerfiles', MIB);
    },
  );

  it('are those that the program made, in order, with the result and the position of each', () => {
    const printed = trace.run(`python3 ${SCRIPT}; rm -f appended`);
    const seen = trace.take('python3').filter(({ key }) => callOf(key)?.startsWith('uring-'));
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
  });

  it('that found the ring full are counted as lost', needs({ program: 'fio' }), () => {
    trace.expectLosses(
      'fio --name=job --filename=file --size=16m --bs=4k --thread --ioengine=io_uring --rw=randread --loops=5 --invalidate=0 --minimal',
      20_000,
    );
  });
});
