import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { readKernelBtf } from '../../src/kernel/abi/btf.ts';
import { readProgramStats } from '../../src/kernel/counts/counter-reader.ts';
import { ensureBuilt } from '../e2e/build.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { attachEmpty } from './empty-program.ts';
import { beside, netNs, VERSIONS } from './support/beside-recording.ts';
import type { Version } from './support/beside-recording.ts';
import { openTable, spread } from './support/output.ts';
import { must } from '../must.ts';

/**
 * What it costs, per page that becomes dirty, to know who wrote it: in files of one page, each of which is new to the
 * program, and in one big file. An empty program runs at the same events and is subtracted, so that a busy machine
 * makes both slow. Needs root and bpftool.
 *
 *   OWNER_BENCH_BEFORE=FILE OWNER_ROUNDS=N npm run bench -- dirtied-pages
 */
const ROUNDS = Number(process.env['OWNER_ROUNDS'] ?? 9);
const STATS = '/proc/sys/kernel/bpf_stats_enabled';
const TRACEPOINT = 'writeback_dirty_folio';
const FILES = 4000;
const BIG_MIB = 256;
/** By pages: for larger writes the file system takes larger folios, and reports each once. */
const WRITE_BIG = `dd if=/dev/zero of=big bs=4k count=${BIG_MIB * 256} conv=notrunc status=none && sync -f .`;
const LOADS: readonly (readonly [title: string, script: string])[] = [
  [
    `${FILES} files of one page`,
    `mount "$0" /mnt && cd /mnt/files && rm -f * && sync -f . && for i in $(seq ${FILES}); do echo x >$i; done; sync -f .`,
  ],
  [`one file of ${BIG_MIB} MiB`, `mount "$0" /mnt && cd /mnt && ${WRITE_BIG}`],
];

function run(script: string): void {
  execFileSync('unshare', ['-m', 'sh', '-ec', script, disk.path]);
}

interface PageCost {
  readonly netNs: number;
  readonly pages: number;
}

async function measured(version: Version, script: string, emptyFd: number): Promise<PageCost> {
  let emptyNs = NaN;
  const { programs } = await beside(version, disk, () => {
    const before = readProgramStats(emptyFd);
    run(script);
    const after = readProgramStats(emptyFd);
    emptyNs = (after.runNs - before.runNs) / (after.runs - before.runs);
    return Promise.resolve(0);
  });
  const dirty = programs.get('dirty');
  if (dirty === undefined) return { netNs: NaN, pages: 0 };
  return { netNs: netNs(dirty, emptyNs) / dirty.runs, pages: dirty.runs };
}

ensureBuilt();
const btf = must(readKernelBtf());
const disk = LoopDevice.create({ bytes: 512 << 20 });
const stats = readFileSync(STATS, 'utf8');
writeFileSync(STATS, '1');
const empty = attachEmpty(btf, TRACEPOINT);
try {
  execFileSync('mkfs.ext4', ['-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0', disk.path]);
  run(`mount "$0" /mnt && cd /mnt && mkdir files && ${WRITE_BIG}`);
  const addRow = openTable(['', 'pages', 'ns per page'], [42]);
  for (const [title, script] of LOADS) {
    const costs = new Map(VERSIONS.slice(1).map((version): [Version, PageCost[]] => [version, []]));
    for (let round = 0; round < ROUNDS; round++)
      for (const [version, all] of costs) all.push(await measured(version, script, empty.fd));
    for (const [{ name }, all] of costs)
      addRow([
        `${title}, ${name}`,
        String(all[0]!.pages),
        spread(
          all.map(({ netNs: ns }) => ns),
          0,
        ),
      ]);
  }
} finally {
  empty.dispose();
  writeFileSync(STATS, stats);
  disk.dispose();
}
