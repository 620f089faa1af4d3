import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { IOHEAT } from '../../e2e/build.ts';
import { bundleEntry } from '../../kernel/fixtures/bundle-entry.ts';
import { median, say, table } from './output.ts';
import { Peer } from './peer.ts';

const WARM_UP_MS = 4000;

interface Case {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Record<string, string>;
}

/** Each as often a second as it can be told to, up to ten. */
function casesOf(folder: string, plainInk: string): Case[] {
  mkdirSync(join(folder, 'btop'), { recursive: true });
  writeFileSync(join(folder, 'btop/btop.conf'), 'update_ms = 100\n');
  return [
    { name: 'ioheat demo', command: [process.execPath, IOHEAT, 'demo', '--interval', '100ms'] },
    {
      name: 'plain Ink, same picture',
      command: [process.execPath, plainInk],
      env: { NODE_ENV: 'production', FORCE_COLOR: '2' },
    },
    { name: 'htop -d 1', command: ['/usr/bin/htop', '-d', '1'] },
    {
      name: 'btop, update_ms 100',
      command: ['/usr/bin/btop'],
      env: { XDG_CONFIG_HOME: folder },
    },
  ];
}

interface Figures {
  readonly bytes: number;
  readonly cpuMs: number;
  readonly hertz: number | undefined;
  readonly mib: number;
}

async function measure({ command, env }: Case, size: Size, seconds: number): Promise<Figures> {
  const peer = new Peer(command, size, env);
  await sleep(WARM_UP_MS);
  const [cpuBefore, bytesBefore, framesBefore] = [peer.cpuMs(), peer.bytes, peer.frames];
  await sleep(seconds * 1000);
  const [cpuMs, bytes] = [peer.cpuMs() - cpuBefore, peer.bytes - bytesBefore];
  const drawn = peer.frames - framesBefore;
  const mib = peer.residentMib();
  await peer.end();
  // Who does not mark its frames is taken at its word.
  const frames = drawn === 0 ? seconds * 10 : drawn;
  const hertz = drawn === 0 ? undefined : drawn / seconds;
  return { bytes: bytes / frames, cpuMs: cpuMs / frames, hertz, mib };
}

interface Size {
  readonly cols: number;
  readonly rows: number;
}

export async function screens(folder: string, rounds: number, seconds: number): Promise<void> {
  const ink = await bundleEntry('test/bench/support/plain-ink.tsx', [
    'ink',
    'react',
    'react/jsx-runtime',
  ]);
  const sizes = [
    { cols: 200, rows: 50 },
    { cols: 80, rows: 24 },
  ];
  const rows: string[][] = [];
  try {
    for (const size of sizes)
      for (const one of casesOf(folder, ink.path)) {
        if (!existsSync(one.command[0]!)) {
          say(`left out: ${one.name}: ${one.command[0]!} is not installed`);
          continue;
        }
        const figures: Figures[] = [];
        for (let round = 0; round < rounds; round++)
          figures.push(await measure(one, size, seconds));
        rows.push(rowOf(one.name, size, figures));
      }
  } finally {
    ink.dispose();
  }
  table(['Program', 'size', 'B per frame', 'ms processor per frame', 'frames/s', 'MiB'], rows);
}

function rowOf(name: string, { cols, rows }: Size, figures: readonly Figures[]): string[] {
  const of = (pick: (one: Figures) => number): number => median(figures.map(pick));
  const [first] = figures;
  return [
    name,
    `${cols}×${rows}`,
    of(({ bytes }) => bytes).toFixed(0),
    of(({ cpuMs }) => cpuMs).toFixed(1),
    first?.hertz === undefined ? '10, as set' : of(({ hertz }) => hertz ?? NaN).toFixed(1),
    of(({ mib }) => mib).toFixed(0),
  ];
}
