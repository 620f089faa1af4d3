import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callOf } from '../../src/model/call.ts';
import { unknownDeviceName } from '../../src/model/device.ts';
import { isKnownFile } from '../../src/model/file-table.ts';
import { flagsText } from '../../src/model/request-text.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { needs } from '../needs.ts';
import { inside } from './fixtures/mounted.ts';
import { TraceSession, type SeenIo } from './fixtures/trace-session.ts';

const MIB = 1 << 20;
const COUNT = 512;
const SCRIPT = join(import.meta.dirname, '../load/uring-calls.py');

/** `lat_ns` starts before the request is submitted: from the page cache the result is there when that returns. */
interface FioSide {
  readonly total_ios: number;
  readonly lat_ns: { readonly mean: number };
}

interface FioJob {
  readonly read: FioSide;
  readonly write: FioSide;
}

function sumNs(calls: readonly SeenIo[]): number {
  return calls.reduce((sum, { deviceNs }) => sum + deviceNs, 0);
}

describe('calls through io_uring', needs('tracing'), () => {
  let disk: LoopDevice;
  let session: TraceSession;
  beforeAll(() => {
    disk = LoopDevice.create({ bytes: 64 * MIB });
    execFileSync('mkfs.ext4', ['-q', disk.path]);
    inside(disk.path, 'dd if=/dev/urandom of=file bs=1M count=16 conv=fsync');
  });
  afterAll(() => {
    disk.dispose();
  });
  beforeEach(() => {
    session = TraceSession.open({ calls: true });
  });
  afterEach(() => {
    session.dispose();
  });

  function uringCalls(comm: string): SeenIo[] {
    return session
      .takeAll()
      .filter(({ key }) => key.comm === comm && callOf(key)?.startsWith('uring-') === true);
  }

  /** Runs fio, and compares each of its reads and writes, and the time that they took. */
  function compareWithFio(options: string, bytes: number, suffix = ''): void {
    const printed = inside(
      disk.path,
      // Ahead of everybody else, or fio would count how long it waits for a processor.
      `chrt --fifo 1 fio --name=job --filename=file --size=16m --bs=${bytes} --thread --ioengine=io_uring --rw=randrw --number_ios=${COUNT} --output-format=json ${options}`,
    );
    const { jobs } = JSON.parse(printed.slice(printed.indexOf('{'))) as { jobs: [FioJob] };
    const all = uringCalls('fio');
    for (const [call, side] of [
      [`uring-read${suffix}`, jobs[0].read],
      [`uring-write${suffix}`, jobs[0].write],
    ] as const) {
      const seen = all.filter(({ key }) => callOf(key) === call);
      expect(seen.length, call).toBe(side.total_ios);
      const share = sumNs(seen) / (side.total_ios * side.lat_ns.mean);
      expect(share, call).toBeGreaterThan(0.95);
      expect(share, call).toBeLessThan(1.01);
      for (const { result, bytes: size, key, fileOffset, file } of seen) {
        expect([result, size, key.dev]).toEqual([bytes, bytes, disk.dev]);
        expect(fileOffset % bytes).toBe(0);
        expect([isKnownFile(file), file.path]).toEqual([
          true,
          `/file of ${unknownDeviceName(disk.dev)}`,
        ]);
      }
      expect(new Set(seen.map(({ fileOffset }) => fileOffset)).size).toBeGreaterThan(20);
    }
  }

  it(
    'of fio, past the page cache, are as many and take as long as it says',
    needs({ program: 'fio' }),
    () => {
      compareWithFio('--direct=1 --iodepth=8', 262_144);
    },
  );

  it(
    'from the page cache are seen as well, though no disk sees them',
    needs({ program: 'fio' }),
    () => {
      compareWithFio('--invalidate=0 --iodepth=1', 262_144);
    },
  );

  it(
    'with buffers that were registered before are seen by their own names',
    needs({ program: 'fio' }),
    () => {
      compareWithFio('--direct=1 --iodepth=8 --fixedbufs --registerfiles', 262_144, '-fixed');
    },
  );

  it('are those that the program made, in order, with the result and the position of each', () => {
    const printed = inside(disk.path, `python3 ${SCRIPT}; rm -f appended`);
    const seen = uringCalls('python3');
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
    const small = TraceSession.open({ calls: true, ringBytes: 1 << 16 });
    inside(
      disk.path,
      'fio --name=job --filename=file --size=16m --bs=4k --thread --ioengine=io_uring --rw=randread --loops=5 --invalidate=0 --minimal',
    );
    const { losses } = small.source.counters();
    const { callsDelivered, callsLost } = small.source.kernelCounters();
    expect(callsLost).toBeGreaterThan(10_000);
    expect(losses['calls']).toBeGreaterThanOrEqual(callsLost);
    expect(callsDelivered + callsLost).toBeGreaterThanOrEqual(20_000);
    small.source.dispose();
  });
});
