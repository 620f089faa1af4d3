import { setTimeout as sleep } from 'node:timers/promises';
import { IOHEAT } from '../e2e/build.ts';
import { SeededRandom } from '../random.ts';
import { median, say, table } from './support/output.ts';
import { SlowTerminal } from './support/slow-terminal.ts';

/**
 * How soon a key is answered on a slow link: from the key to the end of the frame that shows what it did, at 80×24,
 * with a terminal that is read at 2 and at 20 kB/s.
 *
 *   npm run bench -- slow-link
 *
 * With SLOW_LINK_BEFORE=FILE, where FILE is bin/ioheat of another version, that one is measured, too. SLOW_LINK_SILENT=1:
 * the terminal answers no questions.
 */
const ROUNDS = Number(process.env['SLOW_LINK_ROUNDS'] ?? 5);
const BEFORE = process.env['SLOW_LINK_BEFORE'];
const IS_SILENT = process.env['SLOW_LINK_SILENT'] !== undefined;
const RATES = [2000, 20_000];
const LIMIT_MS = 20_000;
/** For the first frame, and for whatever came before a key. */
const SETTLE_MS = 8000;

interface Press {
  readonly name: string;
  readonly key: string;
  readonly answer: (screen: string[], before: string[]) => boolean;
}

const has =
  (text: string | RegExp) =>
  (screen: string[]): boolean =>
    screen.some((row) => row.search(text) >= 0);
const hasNot =
  (text: string | RegExp) =>
  (screen: string[]): boolean =>
    !has(text)(screen);

const readOut = (screen: string[]): string => screen.find((row) => row.includes('CURSOR')) ?? '';

/** In an order in which each leads to where the next is pressed. */
const PRESSES: readonly Press[] = [
  { name: '`l`: another metric', key: 'l', answer: has('DEVICE LATENCY') },
  { name: '`3`: another metric', key: '3', answer: has('TOTAL LATENCY') },
  { name: '`Space`: freeze', key: ' ', answer: has('PAUSED') },
  { name: '`Space`: follow', key: ' ', answer: hasNot('PAUSED') },
  { name: '`/`: filter prompt', key: '/', answer: has(/Enter: apply/) },
  { name: 'a letter in it', key: 'p', answer: has(/^\/ ?p/) },
  { name: '`Esc`', key: '\x1b', answer: hasNot(/Enter: apply/) },
  { name: '`:` all actions', key: ':', answer: has('All actions') },
  { name: '`Esc`', key: '\x1b', answer: hasNot('All actions') },
  { name: '`?` help', key: '?', answer: has(/^ HELP /) },
  { name: '`Esc`', key: '\x1b', answer: hasNot(/^ HELP /) },
  { name: '`v`: cursor', key: 'v', answer: has('CURSOR') },
  {
    name: '`←`: cursor',
    key: '\x1b[D',
    answer: (screen, before) => !['', readOut(before)].includes(readOut(screen)),
  },
  { name: '`Esc`', key: '\x1b', answer: hasNot('CURSOR') },
];

async function measure(program: string, bytesPerSecond: number): Promise<void> {
  const random = new SeededRandom(1);
  const terminal = new SlowTerminal([program, 'demo'], {
    bytesPerSecond,
    columns: 80,
    rows: 24,
    answers: !IS_SILENT,
  });
  const all: number[] = [];
  const rows: string[][] = [];
  try {
    const firstMs = await terminal.until(has(/ lost \d/), 60_000);
    say(
      `${bytesPerSecond / 1000} kB/s, ${program === IOHEAT ? 'now' : 'before'}: status line of the first frame after ${(firstMs ?? NaN).toFixed(0)} ms`,
    );
    await sleep(SETTLE_MS);
    const times = PRESSES.map((): number[] => []);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [at, { key, answer, name }] of PRESSES.entries()) {
        await sleep(700 + 600 * random.next());
        const before = terminal.screen();
        terminal.type(key);
        const ms = await terminal.until((screen) => answer(screen, before), LIMIT_MS);
        if (ms === undefined) say(`no answer to ${name}:\n${terminal.screen().join('\n')}`);
        times[at]!.push(ms ?? LIMIT_MS);
        all.push(ms ?? LIMIT_MS);
      }
    }
    for (const [at, { name }] of PRESSES.entries()) rows.push(row(name, times[at]!));
  } finally {
    terminal.dispose();
  }
  table(['Key, ms', 'median', 'most'], [...rows, row('all', all)]);
}

function row(name: string, times: readonly number[]): string[] {
  return [name, median(times).toFixed(0), Math.max(...times).toFixed(0)];
}

for (const rate of RATES)
  for (const program of BEFORE === undefined ? [IOHEAT] : [BEFORE, IOHEAT])
    await measure(program, rate);
