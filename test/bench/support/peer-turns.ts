import { readFileSync, writeFileSync } from 'node:fs';
import { LoopDevice } from '../../load/loop-device.ts';
import { runFio, type LoadFigures } from './fio.ts';
import { say, spread, table } from './output.ts';
import { runBeside, STATS, type Cost, type CostOrder } from './peer-cost.ts';
import type { Tool } from './peer-tools.ts';

interface Round {
  readonly alone: LoadFigures;
  readonly beside: ReadonlyMap<Tool, Cost>;
}

/** In each round the load alone, then beside each tool: medians, and the least and the most of all rounds. */
export async function turns(tools: readonly Tool[], order: CostOrder): Promise<void> {
  const statsBefore = readFileSync(STATS, 'utf8');
  writeFileSync(STATS, '0');
  const disk = LoopDevice.create({ bytes: 512 << 20 });
  try {
    const rounds: Round[] = [];
    for (let round = 0; round < order.rounds; round++)
      rounds.push(await oneRound(tools, disk, order));
    table(
      ['Tool', 'tool % of a core', 'k IOPS', '× alone', 'p99 µs', '× alone'],
      [aloneRow(rounds), ...tools.map((tool) => rowOf(tool, rounds))],
    );
    say(`${order.rounds} rounds; in brackets the least and the most.`);
  } finally {
    disk.dispose();
    writeFileSync(STATS, statsBefore);
  }
}

async function oneRound(
  tools: readonly Tool[],
  disk: LoopDevice,
  order: CostOrder,
): Promise<Round> {
  const alone = await runFio(disk, order);
  const beside = new Map<Tool, Cost>();
  for (const tool of tools) beside.set(tool, await runBeside(tool, disk, order));
  return { alone, beside };
}

function aloneRow(rounds: readonly Round[]): string[] {
  const of = (pick: (alone: LoadFigures) => number) => rounds.map(({ alone }) => pick(alone));
  return [
    'the load alone',
    '–',
    spread(
      of(({ iops }) => iops / 1000),
      1,
    ),
    '1',
    spread(
      of(({ p99Us }) => p99Us),
      0,
    ),
    '1',
  ];
}

function rowOf(tool: Tool, rounds: readonly Round[]): string[] {
  const of = (pick: (cost: Cost, alone: LoadFigures) => number) =>
    rounds.map(({ alone, beside }) => pick(beside.get(tool)!, alone));
  return [
    tool.name,
    spread(
      of(({ corePercent }) => corePercent),
      1,
    ),
    spread(
      of(({ load }) => load.iops / 1000),
      1,
    ),
    spread(
      of(({ load }, alone) => load.iops / alone.iops),
      2,
    ),
    spread(
      of(({ load }) => load.p99Us),
      0,
    ),
    spread(
      of(({ load }, alone) => load.p99Us / alone.p99Us),
      2,
    ),
  ];
}
