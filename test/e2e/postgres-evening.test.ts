import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BundledEntry } from '../kernel/fixtures/bundle-entry.ts';
import { buildSlowFile, SlowDisk } from '../load/slow-file/slow-file.ts';
import { needs, POSTGRES_PROGRAMS } from '../needs.ts';
import { ensureBuilt, IOHEAT } from './build.ts';
import { Key, startPty, type PtySession } from './pty.ts';
import { MountedServer } from './support/mounted-server.ts';
import { isWhole } from './support/screens.ts';

const MIB = 1 << 20;
const DISK_BYTES = 300 * MIB;
const SCREENS = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
] as const;

const AS_POSTGRES = 'setpriv --reuid postgres --regid postgres --init-groups env -i PATH="$PATH"';
const PSQL = `${AS_POSTGRES} psql -qAtX -v ON_ERROR_STOP=1 -h /srv -d postgres -c`;
const MAKE = `mkdir archive && chown postgres .
for i in $(seq 40); do head -c 500000 /dev/urandom > archive/$i; done
${AS_POSTGRES} ${POSTGRES_PROGRAMS}/initdb -D main -A trust --no-sync --wal-segsize=1 -E UTF8 --locale=C > /dev/null`;
const SERVE = `exec ${AS_POSTGRES} ${POSTGRES_PROGRAMS}/postgres -D main -k /srv -c listen_addresses= \
-c shared_buffers=1MB -c max_parallel_workers_per_gather=0 -c checkpoint_timeout=1h -c autovacuum=off 2> /dev/null`;
const LOG =
  'while :; do head -c 300 /dev/zero | dd of=log oflag=append,dsync conv=notrunc status=none; sleep 0.05; done';
const BACKUP =
  'while :; do tar cf backup.tar archive && sync -f backup.tar && rm backup.tar; sleep 0.2; done';
const FILL =
  "create table orders as select id, repeat('x', 200) note from generate_series(1, 80000) id";

/** Of every request, and of the read of a certain block. */
const DELAY_US = 1_000;
const SPIKE_US = 700_000;

let program: BundledEntry;
let disk: SlowDisk;
let server: MountedServer;
let sessions: PtySession[] = [];

beforeEach(async () => {
  program = await buildSlowFile();
  disk = await SlowDisk.start(program, DISK_BYTES);
  const options = ['-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0,nodiscard'];
  execFileSync('mkfs.ext4', [...options, disk.loop.path]);
  server = await MountedServer.start(disk.loop.path);
});

afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.dispose()));
  await server.dispose();
  await disk.dispose();
  program.dispose();
});

function sql(text: string): string {
  return server.run(`${PSQL} "$1"`, [text]).trim();
}

/** The table's file, of which nothing is cached; its middle block takes long to read from now on. */
async function prepareTable(): Promise<string> {
  sql(FILL);
  sql('checkpoint');
  const file = `main/${sql("select pg_relation_filepath('orders')")}`;
  server.run('dd if="$1" iflag=nocache count=0 2> /dev/null', [file]);
  const printed = server.run('filefrag -v -b512 "$1"', [file]);
  const extents = [...printed.matchAll(/^ *\d+: +\d+\.\. +\d+: +(\d+)\.\. +(\d+):/gm)];
  const [, first, last] = extents[extents.length >> 1]!.map(Number);
  const start = ((first! + last!) >> 1) * 512;
  await disk.setRules([
    { start, end: start + 4096, op: 'read', delayUs: SPIKE_US },
    { start: 0, end: DISK_BYTES, delayUs: DELAY_US },
  ]);
  return file;
}

async function startScreens(): Promise<void> {
  const words = [...server.enter, process.execPath, IOHEAT, '--disk', disk.loop.name];
  sessions = SCREENS.map((size) => startPty(words[0]!, words.slice(1), size));
  await Promise.all(
    sessions.map((session) =>
      session.waitUntil(() => isWhole(session), 'waiting for the first frame'),
    ),
  );
}

/** The first to the slowest I/O, the second opens it, the third shows only it, the fourth opens the card of the process. */
async function look(session: PtySession, file: string): Promise<void> {
  session.type('!');
  await session.waitFor('the slowest I/O');
  session.type(Key.enter);
  const path = `/${file}`.slice(-'/base/5/16384'.length);
  await session.waitFor(new RegExp(`postgres .* read .*${path}`));
  session.type(Key.enter);
  await session.waitUntil(
    () => !session.shows('Slowest I/Os') && session.shows(/\d+ postgres +loop/),
    'waiting for the table of this I/O',
  );
  session.type('i');
  await session.waitFor(/cgroup +postgresql\.service/);
  expect(session.shows(/command +postgres: postgres postgres \[local\] SELECT/)).toBe(true);
}

test(
  'four keys lead from a spike to the file of a table, the title of its process and the service',
  { ...needs('tracing', 'cgroups', 'PostgreSQL'), timeout: 120_000 },
  async () => {
    ensureBuilt();
    server.run(MAKE);
    server.startService('postgresql.service', SERVE);
    await vi.waitFor(() => sql('select 1'), { timeout: 20_000, interval: 200 });
    const file = await prepareTable();
    server.startService('logger.service', LOG);
    server.startService('backup.service', BACKUP);
    await startScreens();
    sql('select count(*) from orders');
    sql('checkpoint');
    sql('create index on orders (id)');
    for (const session of sessions) await look(session, file);
  },
);
