import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  rmdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canTraceHere, needs } from '../needs.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { runSync } from '../load/sync-load.ts';
import { expectSentence, runScript } from './run.ts';
import { until } from '../until.ts';

const MIB = 1 << 20;
const ONCE = '--once --duration 1500ms --columns 100 --rows 20';

describe('a machine that lacks something', needs('tracing'), () => {
  test('without BTF, one sentence says so, exit code 3', async () => {
    const bind = 'mount --bind /dev/null /sys/kernel/btf/vmlinux';
    const outcome = await runScript(`unshare -m sh -c '${bind} && exec "$@"' - $IOHEAT ${ONCE}`);
    expectSentence(outcome);
    expect(outcome).toMatchObject({ status: 3 });
    expect(outcome.stderr).toContain('type information');
  });

  /** Where the loader finds it; over that a file is laid, for this one program. */
  const LIBBPF = 'f=$(readlink -f "$(ldconfig -p | sed -n "s/.*libbpf.so.1 .*=> //p" | head -1)")';

  test.each([
    ['is not there', '/dev/null'],
    [
      'is another library',
      '$(readlink -f "$(ldconfig -p | sed -n "s/.*libz.so.1 .*=> //p" | head -1)")',
    ],
  ])(
    'with a libbpf that %s, one sentence says what to install, exit code 3',
    async (_, instead) => {
      const outcome = await runScript(
        `${LIBBPF}; z=${instead}; unshare -m sh -c 'mount --bind "$2" "$1"; shift 2; exec "$@"' - "$f" "$z" $IOHEAT ${ONCE}`,
      );
      expectSentence(outcome);
      expect(outcome).toMatchObject({ status: 3 });
      expect(outcome.stderr).toContain('install the package libbpf1');
    },
  );

  test('with a libbpf that is too old, one sentence says what it lacks and what to install, exit code 3', async () => {
    const outcome = await runScript(
      `${LIBBPF}; d=$(mktemp -d); trap 'rm -r "$d"' EXIT
      echo 'void *libbpf_set_print(void *fn) { return 0; }' |
        clang-14 -shared -nostdlib -Wl,-soname,libbpf.so.1 -x c -o "$d/old.so" -
      unshare -m sh -c 'mount --bind "$2" "$1"; shift 2; exec "$@"' - "$f" "$d/old.so" $IOHEAT ${ONCE}`,
    );
    expectSentence(outcome);
    expect(outcome).toMatchObject({ status: 3 });
    expect(outcome.stderr).toMatch(/libbpf_set_strict_mode|bpf_object__/);
    expect(outcome.stderr).toContain('install the package libbpf1');
  });

  test('a libbpf installed only under its name before 1.0 is used', async () => {
    const outcome = await runScript(
      `${LIBBPF}; d=$(mktemp -d); trap 'rm -r "$d"' EXIT; cp "$f" "$d/libbpf.so.0"
      LD_LIBRARY_PATH=$d unshare -m sh -c 'mount --bind /dev/null "$1"; shift; exec "$@"' - "$f" $IOHEAT ${ONCE}`,
    );
    expect(outcome).toMatchObject({ status: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/LIVE/);
  });

  test('CAP_BPF and CAP_PERFMON alone are enough to trace', async () => {
    const caps = '+bpf,+perfmon';
    const outcome = await runScript(
      `setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=${caps} --ambient-caps=${caps} --bounding-set=-all,${caps} $IOHEAT ${ONCE}`,
    );
    expect(outcome).toMatchObject({ status: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/LIVE/);
  });

  test('one of CAP_BPF and CAP_PERFMON is not enough to trace: exit code 3', async () => {
    for (const cap of ['bpf', 'perfmon']) {
      const outcome = await runScript(
        `setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=+${cap} --ambient-caps=+${cap} $IOHEAT ${ONCE}`,
      );
      expectSentence(outcome);
      expect(outcome).toMatchObject({ status: 3 });
    }
  });

  test('hardly any memory that may be locked is enough to trace', async () => {
    const outcome = await runScript(`ulimit -l 16; $IOHEAT ${ONCE}`);
    expect(outcome).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('clocks', needs('tracing'), () => {
  let disk: LoopDevice;
  beforeEach(() => {
    disk = LoopDevice.create({ bytes: 4 * MIB });
  });
  afterEach(() => {
    disk.dispose();
  });

  async function readUntil(hasEnded: () => boolean): Promise<void> {
    while (!hasEnded()) {
      runSync(disk, [{ kind: 'read', offset: 0, bytes: 4096 }]);
      await sleep(50);
    }
  }

  test('in a time namespace, I/O is drawn at the right time', async () => {
    const { stdout, stderr, status } = await runScript(
      `unshare -T --monotonic 100000 $IOHEAT ${ONCE} --disk ${disk.name}`,
      readUntil,
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).not.toContain('no I/O in this picture');
    expect(stdout).toMatch(new RegExp(`\\d .+ ${disk.name} `));
  });
});

/** A wall clock that is as many seconds ahead as the first 8 bytes of the file say; the others go on. */
const JUMPING_CLOCK = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
static long ahead(void) {
  static volatile long *seconds;
  if (!seconds)
    seconds = mmap(0, 8, PROT_READ, MAP_SHARED, open(getenv("CLOCK_FILE"), O_RDONLY), 0);
  return *seconds;
}
int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, time);
  if (clock == CLOCK_REALTIME) time->tv_sec += ahead();
  return result;
}
int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}`;

describe('a jump of the wall clock', needs('tracing'), () => {
  let disk: LoopDevice;
  let folder: string;
  beforeEach(() => {
    disk = LoopDevice.create({ bytes: 4 * MIB });
    folder = mkdtempSync(join(tmpdir(), 'ioheat-clock-'));
    writeFileSync(join(folder, 'clock.c'), JUMPING_CLOCK);
    writeFileSync(join(folder, 'ahead'), new BigInt64Array(1));
  });
  afterEach(() => {
    disk.dispose();
    rmSync(folder, { recursive: true });
  });

  test('when the wall clock jumps an hour forward and two back while recording, times of I/O go on evenly', async () => {
    const CLOCK = `LD_PRELOAD=${folder}/clock.so CLOCK_FILE=${folder}/ahead`;
    const script = `cd ${folder} && clang-14 -shared -fPIC -o clock.so clock.c -ldl || exit
      ${CLOCK} $IOHEAT record recording --duration 3s --disk ${disk.name} 2>told || exit
      ${CLOCK} '${process.execPath}' -p 'Date.now()'
      $IOHEAT export recording --format ndjson`;
    const beforeMs = Date.now();
    const { stdout, status } = await runScript(script, async () => {
      await until(() => existsSync(join(folder, 'recording')), 'a recording');
      for (let turn = 0; turn < 60; turn++) {
        if (turn === 10) jumpTo(3600n);
        if (turn === 20) jumpTo(-3600n);
        runSync(disk, [{ kind: 'read', offset: turn * 4096, bytes: 4096 }]);
        await sleep(50);
      }
    });
    expect(status).toBe(0);
    const [now, ...lines] = stdout.trimEnd().split('\n');
    // The clock that the program was given has really jumped.
    expect(Number(now)).toBeLessThan(beforeMs - 3_000_000);
    const seen = lines.map((line) => JSON.parse(line) as { time: string; trace_ns: number });
    expect(seen.length).toBeGreaterThan(20);
    const baseMs = Date.parse(seen[0]!.time) - seen[0]!.trace_ns / 1e6;
    for (const [index, { time, trace_ns }] of seen.entries()) {
      expect(Math.abs(Date.parse(time) - trace_ns / 1e6 - baseMs)).toBeLessThan(2);
      expect(trace_ns).toBeGreaterThan(seen[index - 1]?.trace_ns ?? 0);
      expect(Date.parse(time) - beforeMs).toBeGreaterThan(0);
      expect(Date.parse(time) - beforeMs).toBeLessThan(60_000);
    }
  });

  /** Written in place: the program has it mapped. */
  function jumpTo(seconds: bigint): void {
    const fd = openSync(join(folder, 'ahead'), 'r+');
    writeSync(fd, BigInt64Array.of(seconds));
    closeSync(fd);
  }
});

const OLD_CGROUPS = '/sys/fs/cgroup/memory';

describe('a limit for a group of processes', needs('tracing'), () => {
  test('a memory cgroup of 128 MB is enough for demo', async () => {
    const old = existsSync(OLD_CGROUPS);
    const group = mkdtempSync(`${old ? OLD_CGROUPS : '/sys/fs/cgroup'}/ioheat-test-`);
    try {
      writeFileSync(join(group, old ? 'memory.limit_in_bytes' : 'memory.max'), '128M');
      const enter = `echo $$ > ${group}/cgroup.procs`;
      const outcome = await runScript(`${enter} && exec $IOHEAT demo ${ONCE}`);
      expect(outcome).toMatchObject({ status: 0, stderr: '' });
      expect(outcome.stdout).toContain('TOTAL LATENCY');
    } finally {
      rmdirSync(group);
    }
  });
});

describe('little memory', () => {
  test('a heap of 64 MB is enough for demo', async () => {
    const outcome = await runScript(`$IOHEAT demo ${ONCE}`, undefined, {
      NODE_OPTIONS: '--max-old-space-size=64',
    });
    expect(outcome).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('no terminal at all', () => {
  test('without a terminal, the monitor says so and exits with 2', async () => {
    const outcome = await runScript('exec setsid -w $IOHEAT demo');
    expectSentence(outcome);
    expect(outcome).toMatchObject({ status: 2 });
  });

  test('--once does not need a terminal', async () => {
    const outcome = await runScript(`exec setsid -w $IOHEAT demo ${ONCE}`);
    expect(outcome).toMatchObject({ status: 0, stderr: '' });
  });

  test.each([
    [`demo ${ONCE}`, 0],
    ['doctor --json', canTraceHere() ? 0 : 3],
    ['--help', 0],
  ])('a reader that closes the pipe after one line is not an error: %s', async (args, status) => {
    const script = `{ $IOHEAT ${args}; echo "status=$?" >&2; } | head -1`;
    const { stdout, stderr } = await runScript(script);
    expect(stdout.split('\n')).toHaveLength(2);
    expect(stderr).toBe(`status=${status}\n`);
  });

  test.each(['1>&-', '2>&-', '1>&- 2>&-', '0<&- 1>&- 2>&-'])(
    'ioheat works with closed descriptors: %s',
    async (closed) => {
      const { status, stderr } = await runScript(`$IOHEAT demo ${ONCE} ${closed}`);
      expect([0, 1]).toContain(status);
      expect(stderr).not.toMatch(/\n +at /);
    },
  );
});
