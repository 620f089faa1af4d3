import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readKernelBtf } from '../../src/kernel/abi/btf.ts';
import { readProgramStats } from '../../src/kernel/counts/counter-reader.ts';
import { ensureBuilt } from '../e2e/build.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { attachEmpty } from './empty-program.ts';
import { runFio } from './support/fio.ts';
import { say, spread, table } from './support/output.ts';
import { beside, netNs, SHARED, VERSIONS } from './support/beside-recording.ts';
import type { Run, Version } from './support/beside-recording.ts';
import { must } from '../must.ts';

/**
 * What it costs to know the file of each I/O, who wrote it, and who filled the journal: time of the programs in the
 * kernel, I/Os per second of the fastest load, and a writeback storm, with and without. Needs root, fio and bpftool.
 *
 *   OWNER_BENCH_BEFORE=FILE npm run bench -- owner-cost
 *
 * FILE is bin/ioheat of another version, which is measured in turn with this one. OWNER_ROUNDS is how often.
 */
const ROUNDS = Number(process.env['OWNER_ROUNDS'] ?? 5);
const SECONDS = 4;
const FILES = 20_000;
const STATS = '/proc/sys/kernel/bpf_stats_enabled';

function emptyNs(disk: LoopDevice): Promise<number> {
  const btf = must(readKernelBtf());
  const empty = attachEmpty(btf, 'block_rq_complete');
  return runFio(disk, { seconds: SECONDS }).then(() => {
    const { runs, runNs } = readProgramStats(empty.fd);
    empty.dispose();
    return runNs / runs;
  });
}

/** Small files from an archive in memory, and all of them written back; in seconds. */
function storm(disk: LoopDevice, archive: string): Promise<number> {
  const script = `mount "$0" /mnt && cd /mnt && rm -rf files && sync -f . && date +%s.%N && tar -xf ${archive} && sync -f . && date +%s.%N`;
  const args = ['-m', 'sh', '-ec', script, disk.path];
  const [start, end] = execFileSync('unshare', args, { encoding: 'utf8' }).trim().split('\n');
  return Promise.resolve(Number(end) - Number(start));
}

function makeArchive(): string {
  const folder = join(SHARED, `ioheat-files-${process.pid}`);
  const archive = `${folder}.tar`;
  const script = `mkdir -p "$0/files" && cd "$0/files" && for i in $(seq ${FILES}); do head -c 4096 /dev/zero > $i; done && cd .. && tar -cf "$1" files && rm -r "$0"`;
  execFileSync('sh', ['-ec', script, folder, archive]);
  return archive;
}

async function rounds(disk: LoopDevice, load: () => Promise<number>): Promise<Map<Version, Run[]>> {
  const runs = new Map(VERSIONS.map((version): [Version, Run[]] => [version, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const version of VERSIONS) runs.get(version)!.push(await beside(version, disk, load));
  return runs;
}

function shares(runs: ReadonlyMap<Version, readonly Run[]>, version: Version): number[] {
  const alone = runs.get(VERSIONS[0]!)!;
  return runs.get(version)!.map(({ figure }, round) => figure / alone[round]!.figure);
}

function figures(runs: ReadonlyMap<Version, readonly Run[]>, title: string, unit: number): void {
  table(
    ['', title, '× alone'],
    VERSIONS.map((version) => [
      version.name,
      spread(
        runs.get(version)!.map(({ figure }) => figure / unit),
        1,
      ),
      spread(shares(runs, version), 3),
    ]),
  );
}

/** Of one run with the kernel's clock on its programs, which costs itself. */
async function inKernel(disk: LoopDevice, archive: string): Promise<void> {
  const before = readFileSync(STATS, 'utf8');
  writeFileSync(STATS, '1');
  try {
    const empty = await emptyNs(disk);
    for (const version of VERSIONS.slice(1)) {
      const reads = { ios: 0 };
      const { programs } = await beside(version, disk, async () => {
        reads.ios = (await runFio(disk, { seconds: SECONDS })).ios;
        return reads.ios;
      });
      const all = [...programs.values()].reduce((sum, one) => sum + netNs(one, empty), 0);
      say(`${version.name}: ${(all / reads.ios).toFixed(0)} ns per I/O`);
    }
    execFileSync('mkfs.ext4', ['-q', disk.path]);
    const { programs } = await beside(VERSIONS[1]!, disk, () => storm(disk, archive));
    for (const [name, one] of programs)
      if (/dirty|handle|commit/.test(name) && one.runs > 0)
        say(`${name}: ${(netNs(one, empty) / one.runs).toFixed(0)} ns, ${one.runs} times`);
    say(`An empty program takes ${empty.toFixed(0)} ns, which is subtracted.`);
  } finally {
    writeFileSync(STATS, before);
  }
}

ensureBuilt();
const archive = makeArchive();
const disk = LoopDevice.create({ bytes: 512 << 20 });
try {
  await inKernel(disk, archive);
  const fastest = async () => (await runFio(disk, { seconds: SECONDS })).iops;
  figures(await rounds(disk, fastest), 'reads, thousand/s', 1000);
  execFileSync('mkfs.ext4', ['-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0', disk.path]);
  figures(await rounds(disk, () => storm(disk, archive)), 'tar and sync, s', 1);
} finally {
  disk.dispose();
  rmSync(archive);
}
