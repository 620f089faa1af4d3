import { setTimeout as sleep } from 'node:timers/promises';
import { runLoad, type Load } from './layer-loads.ts';
import { commandOf, type LayerTool } from './layer-tools.ts';
import { median, say, table } from './output.ts';
import { Peer } from './peer.ts';

/** Until a tool has attached. */
const START_MS = 2500;

interface Order {
  readonly folder: string;
  readonly rounds: number;
}

/** Of one load, in one round. */
interface Pair {
  readonly alone: number;
  readonly traced: number;
}

async function runAll(loads: readonly Load[], around: readonly string[] = []): Promise<number[]> {
  const figures: number[] = [];
  for (const load of loads) figures.push(await runLoad(load, around));
  return figures;
}

async function runTraced(
  tool: LayerTool,
  loads: readonly Load[],
  folder: string,
): Promise<number[]> {
  const command = commandOf(tool, folder);
  if (command === undefined) return runAll(loads, tool.around?.(folder));
  const peer = new Peer(command, { cols: 120, rows: 40 });
  try {
    await sleep(START_MS);
    return await runAll(loads);
  } finally {
    await peer.end(tool.endKey);
  }
}

/** One tool after the other, each right after the loads alone; round by round. */
export async function compare(
  tools: readonly LayerTool[],
  loads: readonly Load[],
  { folder, rounds }: Order,
): Promise<void> {
  const pairs = new Map(tools.map((tool) => [tool, loads.map((): Pair[] => [])]));
  for (let round = 0; round < rounds; round++)
    for (const [tool, ofLoads] of pairs) {
      const alone = await runAll(loads);
      const traced = await runTraced(tool, loads, folder);
      for (const [index, list] of ofLoads.entries())
        list.push({ alone: alone[index]!, traced: traced[index]! });
    }
  const head = ['Tool', 'shows', ...loads.flatMap(({ title }) => [title, '× alone'])];
  const all = [...pairs.values()];
  const nothing = loads.flatMap(({ isRate }, index) => {
    const alone = all.flatMap((ofLoads) => ofLoads[index]!.map((pair) => pair.alone));
    return [figureText(median(alone), isRate), '1.00'];
  });
  const rows = [...pairs].map(([{ name, shows }, ofLoads]) => [
    ...[name, shows],
    ...ofLoads.flatMap((list, index) => cellsOf(list, loads[index]!)),
  ]);
  table(head, [['nothing', '–', ...nothing], ...rows]);
  say('DIO costs 14 to 51 % by the measurements of its authors, elsewhere.');
}

function cellsOf(list: readonly Pair[], { isRate }: Load): readonly string[] {
  return [
    figureText(median(list.map(({ traced }) => traced)), isRate),
    median(list.map(({ alone, traced }) => traced / alone)).toFixed(2),
  ];
}

function figureText(figure: number, isRate: boolean): string {
  return figure.toFixed(isRate ? 1 : 0);
}
