import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_CGROUP_NAMES } from '../../src/model/cgroup-names.ts';
import { fileText } from '../../src/model/file.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import { inFlightAt } from '../../src/model/in-flight-book.ts';
import { OLD_IN_FLIGHT_NS } from '../../src/model/in-flight.ts';
import type { InFlightIo } from '../../src/model/in-flight.ts';
import { openRecording } from '../../src/trace/recording/reading/open-recording.ts';
import { singleFile } from '../../src/trace/recording/writing/recording-files.ts';
import { RecordingWriter } from '../../src/trace/recording/writing/recording-writer.ts';
import { HEADER } from '../trace/recording/fixtures/record.ts';
import { createHistory } from '../../src/history/history.ts';
import { readDiskstats } from '../../src/kernel/machine/diskstats.ts';
import { kernelNowNs } from '../../src/kernel/machine/clock-base.ts';
import { atOnce } from '../load/at-once.ts';
import { buildSlowFile, SlowDisk } from '../load/slow-file/slow-file.ts';
import { needs } from '../needs.ts';
import type { BundledEntry } from './fixtures/bundle-entry.ts';
import { addressesAmong, wordsAfter } from './fixtures/mapped-trace.ts';
import { must } from '../must.ts';
import { TraceSession } from './fixtures/trace-session.ts';

const MIB = 1 << 20;
const EXT4 = ['-q', '-O', '^has_journal', '-E', 'lazy_itable_init=0,nodiscard'];

/** Writes to the page cache, and to the disk when it has read a line. The writer is gone by then. */
const SCRIPT = `
mount "$0" /mnt && cd /mnt
dd if=/dev/zero of=one.dat bs=64k count=1 status=none
sync -f . && dd if=/dev/zero of=one.dat bs=64k count=1 seek=1 conv=notrunc status=none
echo ready
read line
sync -f . &
dd if=one.dat of=/dev/null iflag=direct bs=16k count=1 skip=1 status=none
wait
`;

describe('requests in flight on a file system', needs('tracing'), () => {
  let program: BundledEntry;
  let disk: SlowDisk;
  let session: TraceSession;
  let shell: ChildProcess | undefined;
  beforeEach(async () => {
    program = await buildSlowFile();
    disk = await SlowDisk.start(program, 16 * MIB);
    execFileSync('mkfs.ext4', [...EXT4, disk.loop.path]);
    session = TraceSession.open();
    session.focus(disk.loop.dev);
  });
  afterEach(async () => {
    disk.resume();
    if (shell?.exitCode === null) await once(shell, 'exit');
    session.dispose();
    await disk.dispose();
    program.dispose();
  });

  it('have their file and place in it, and of what is written back the writer and the thread', async () => {
    const { loop } = disk;
    shell = spawn('unshare', ['-m', 'sh', '-ec', SCRIPT, loop.path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(shell.stdout!, 'data');
    disk.hang();
    shell.stdin!.end('\n');
    const { files } = session.source.info.identities;
    const found = () => {
      session.takeAll();
      const all = session.source.inFlight().filter(({ identity }) => identity.dev === loop.dev);
      return all.map(({ identity, file, fileOffset }) => ({
        comm: identity.comm,
        via: identity.via?.split('/')[0],
        path: file && files.get(file).path?.replace(/ of .*/, ''),
        fileOffset,
      }));
    };
    const path = '/one.dat';
    await expect.poll(found, { timeout: 10_000 }).toEqual(
      expect.arrayContaining([
        { comm: 'dd', via: 'kworker', path, fileOffset: 65_536 },
        { comm: 'dd', via: undefined, path, fileOffset: 16_384 },
      ]),
    );
  });

  it('keep their disk busy for as long as the kernel counts it busy', async () => {
    const { loop } = disk;
    const { source } = session;
    const { info } = source;
    const history = createHistory({ info });
    const nowNs = () => Number(kernelNowNs() - info.clockBase.monotonicNs);
    const busyMs = () => readDiskstats().get(loop.dev)!.ioMs;
    const [startNs, startMs] = atOnce(() => [nowNs(), busyMs()] as const);
    disk.hang();
    const args = [`if=${loop.path}`, 'of=/dev/null', 'iflag=direct', 'bs=4096', 'count=1'];
    shell = spawn('dd', args, { stdio: 'ignore' });
    const hangs = () => {
      session.takeAll();
      return source.inFlight(2 * OLD_IN_FLIGHT_NS).length > 0;
    };
    await expect.poll(hangs, { timeout: 10_000 }).toBe(true);
    const [endNs, endMs] = atOnce(() => {
      session.takeAll();
      return [nowNs(), busyMs()] as const;
    });
    const foundMs = (history.utilization(loop.dev, startNs, endNs)! * (endNs - startNs)) / 1e6;
    expect(endMs - startMs).toBeGreaterThan(1900);
    expect(Math.abs(foundMs - (endMs - startMs))).toBeLessThan(50);
  });

  it('are in a recording as they were, without any other I/O and after they have completed', async () => {
    const { loop } = disk;
    const { source } = session;
    const { info } = source;
    const folder = mkdtempSync(join(tmpdir(), 'ioheat-inflight-'));
    const path = join(folder, 'hangs.ioheat');
    const writer = must(
      RecordingWriter.start({
        header: { ...HEADER, clockBase: info.clockBase },
        identities: info.identities,
        names: { devices: info, cgroups: NO_CGROUP_NAMES },
        target: singleFile(path),
        nowMs: () => performance.now(),
        inFlight: info.inFlight,
      }),
    );
    const known = () => {
      for (let rows = source.read(); rows.length > 0; rows = source.read()) writer.append(rows);
      writer.tick(source.counters());
      return info.inFlight!.spans();
    };
    shell = spawn('unshare', ['-m', 'sh', '-ec', SCRIPT, loop.path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(shell.stdout!, 'data');
    disk.hang();
    shell.stdin!.end('\n');
    await expect.poll(() => known().length, { timeout: 10_000 }).toBeGreaterThan(1);
    const live = source.inFlight(OLD_IN_FLIGHT_NS);
    const atNs = live[0]!.sinceNs + live[0]!.ageNs;
    // Half a second later, all of this has been noted.
    const isLater = () => known().length > 0 && source.inFlight(live[0]!.ageNs + 5e8).length > 0;
    await expect.poll(isLater, { timeout: 10_000 }).toBe(true);
    disk.resume();
    const hasEnded = () => known().every(({ untilNs }) => untilNs !== Infinity);
    await expect.poll(hasEnded, { timeout: 10_000 }).toBe(true);
    await writer.end(source.counters());

    const identities = new IdentityTable();
    const reader = must(openRecording(path, identities));
    while (reader.next() !== 'ended');
    const facts = (all: readonly InFlightIo[], { files }: IdentityTable) =>
      all.map(({ sinceNs: since, stage, identity, bytes, sector, file, fileOffset }) => ({
        ...{ since, stage, bytes, sector, fileOffset },
        ...{ comm: identity.comm, via: identity.via, tgid: identity.tgid },
        file: file === undefined ? undefined : fileText(files.get(file)),
      }));
    const replayed = inFlightAt(reader.inFlight!, atNs);
    expect(facts(replayed, identities)).toEqual(facts(live, info.identities));
    expect(inFlightAt(reader.inFlight!, atNs + 3600e9)).toEqual([]);
    reader.dispose();
    rmSync(folder, { recursive: true });
  });

  it('leave no addresses of the kernel in the maps of files and threads', () => {
    const load = SCRIPT.replace('read line', '');
    const words = wordsAfter(
      () => execFileSync('unshare', ['-m', 'sh', '-ec', load, disk.loop.path]),
      ({ files, vias }) => [files!, vias!],
    );
    expect(words.length).toBeGreaterThan(0);
    expect(addressesAmong(words)).toEqual([]);
  });
});
