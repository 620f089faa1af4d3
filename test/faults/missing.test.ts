import { describe, expect, test } from 'vitest';
import { needs } from '../needs.ts';
import { expectSentence, runScript } from './run.ts';

const ONCE = '--once --duration 1500ms --columns 100 --rows 20';

describe('a machine on which something is not mounted or not available', needs('tracing'), () => {
  test.each([
    ['/proc', 'mount -t tmpfs x /proc'],
    ['/sys', 'mount -t tmpfs x /sys'],
  ])('without %s, one sentence says what to do, exit code 3', async (folder, mount) => {
    const outcome = await runScript(`unshare -m sh -c '${mount} && exec "$@"' - $IOHEAT ${ONCE}`);
    expectSentence(outcome);
    expect(outcome).toMatchObject({ status: 3 });
    expect(outcome.stderr).toContain(`${folder} is not mounted`);
  });

  test.each(['record x --source demo', 'replay x', 'export x', 'report x', 'note x'])(
    'without /proc, root is told in one sentence why ioheat %s does not drop root',
    async (command) => {
      const mount = 'mount -t tmpfs x /proc';
      const outcome = await runScript(
        `unshare -m sh -c '${mount} && exec "$@"' - $IOHEAT ${command}`,
      );
      expectSentence(outcome);
      expect(outcome).toMatchObject({ status: 1 });
      expect(outcome.stderr).toContain('mount -t proc proc /proc');
    },
  );

  test.each([
    [
      'no tracefs and no debugfs',
      'mount -t tmpfs x /sys/kernel && mount -t tmpfs x /sys/fs/cgroup',
      3,
    ],
    ['no cgroups', 'mount -t tmpfs x /sys/fs/cgroup', 0],
    ['other users hidden in /proc', 'mount -t proc -o hidepid=invisible x /proc', 0],
    ['nothing but processes in /proc', 'mount -t proc -o subset=pid x /proc', 3],
    ['a home that cannot be written', 'mount -t tmpfs -o ro x /mnt', 0],
  ])('with %s, ioheat works or says in one sentence why not', async (_, mount, status) => {
    const outcome = await runScript(
      `unshare -m sh -c '${mount} && HOME=/mnt exec "$@"' - $IOHEAT ${ONCE}`,
    );
    expect(outcome.status).toBe(status);
    if (status !== 0) expectSentence(outcome);
    else {
      expect(outcome.stderr).toBe('');
      expect(outcome.stdout).toContain('LIVE');
    }
  });

  test('ioheat works with an empty environment', async () => {
    const outcome = await runScript(`env -i PATH="$PATH" $IOHEAT ${ONCE}`);
    expect(outcome).toMatchObject({ status: 0, stderr: '' });
  });

  test('ioheat works where no memory may be locked', async () => {
    const outcome = await runScript(`ulimit -l 0; $IOHEAT ${ONCE}`);
    expect(outcome).toMatchObject({ status: 0, stderr: '' });
  });

  test('with few open files allowed, one sentence says so, exit code 3', async () => {
    // With 28, libbpf takes what it cannot open for what the kernel does not have.
    for (const files of [24, 28, 40]) {
      const outcome = await runScript(`ulimit -n ${files}; $IOHEAT ${ONCE}`);
      expectSentence(outcome);
      expect(outcome).toMatchObject({ status: 3 });
      expect(outcome.stderr).toBe(
        'ioheat: cannot load the tracing programs: too many open files; raise the limit: ulimit -n 1024\n',
      );
    }
  });
});

describe('a limit on open files', () => {
  /** Below `$n` Node cannot read its first file, and ends itself in its own words. */
  const FIND_LIMIT = `ulimit -c 0; n=12
    says() { (ulimit -n $n; $IOHEAT --version 2>&1 | grep -q '^ioheat: '); }
    { until says || [ $n = 40 ]; do n=$((n + 1)); done; } 2>/dev/null`;

  test('with too few open files to load the program, one sentence says what to do, exit code 1', async () => {
    const outcome = await runScript(`${FIND_LIMIT}; ulimit -n $n; exec $IOHEAT --version`);
    expect(outcome).toMatchObject({ status: 1, stdout: '' });
    expect(outcome.stderr).toBe(
      'ioheat: cannot continue: too many open files; raise the limit: ulimit -n 1024\n',
    );
  });
});

describe('a limit on addresses', () => {
  test('with too few addresses for WebAssembly, one sentence says so', async () => {
    for (const kilobytes of [1_500_000, 4_000_000]) {
      const outcome = await runScript(`ulimit -v ${kilobytes}; $IOHEAT demo ${ONCE}`);
      expectSentence(outcome);
      expect(outcome).toMatchObject({ status: 1 });
      expect(outcome.stderr).toContain('ulimit -v');
    }
  });
});
