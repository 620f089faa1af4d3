import { mkdtempSync, openSync, readdirSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { BusySession } from './busy-session.ts';

/** Presses each key in a session of this process, and prints how long it held up everything else. */
const ROWS = Number(process.env['BLOCK_ROWS'] ?? 10_000_000);
const IOPS = Number(process.env['BLOCK_IOPS'] ?? 100_000);
const ROUNDS = Number(process.env['BLOCK_ROUNDS'] ?? 5);
const HISTORY = process.env['BLOCK_HISTORY'] ?? '1G';
const CHOSEN = process.env['BLOCK_KEYS']?.split(',') ?? [''];
const SPAN_NS = 180e9;
const LOOK_MS = 700;

const LEFT = '\x1b[D';
const ESCAPE = '\x1b';
const COMPLEX = '(op=read lat>1ms) or (op=write (size=4k,16k or not qlat<10us))';

interface Press {
  readonly name: string;
  /** Typed before, and not measured. */
  readonly before?: readonly string[];
  readonly keys: string;
  /** Typed after, to be where one was. */
  readonly after?: readonly string[];
  /** Writes a file, which is waited for. */
  readonly writes?: boolean;
}

const folder = mkdtempSync(join(tmpdir(), 'ioheat-pressed-'));
const CLEAR_LINE = '\x15';

/** Up to the key that begins to write a file of that kind. */
function fileOf(key: string, extension: string): string {
  return `${key}${CLEAR_LINE}${join(folder, `pressed${extension}`)}`;
}

const WIDE_BOX = ['v', '\x1b[H', 'v', '\x1b[F', ...Array<string>(40).fill('\x1b[A')];

/** The key of the layouts, so many times; there are seven. */
const v = (times: number): string[] => Array<string>(times).fill('V');

const PRESSES: readonly Press[] = [
  { name: 'nothing', keys: '' },
  { name: '2 queue latency', keys: '2', after: ['1'] },
  { name: '4 offset', keys: '4', after: ['1'] },
  { name: '5 size', keys: '5', after: ['1'] },
  { name: '6 utilization', keys: '6', after: ['1'] },
  { name: 'y axis', keys: 'y', after: ['y'] },
  { name: 'x outliers', keys: 'x', after: ['x', 'x', 'x', 'x'] },
  { name: 'w weight', keys: 'w', after: ['w', 'w'] },
  { name: '- longer columns', keys: '-', after: ['+'] },
  { name: '+ shorter columns', keys: '+', after: ['-'] },
  { name: 'left', keys: LEFT, after: ['\x1b[F'] },
  { name: 'page up', keys: '\x1b[5~', after: ['\x1b[F'] },
  { name: 'home', keys: '\x1b[H', after: ['\x1b[F'] },
  { name: 'space', keys: ' ', after: [' '] },
  { name: 'o r only reads', before: ['o'], keys: 'r', after: ['r', ESCAPE] },
  { name: '/ lat>10ms', before: ['/lat>10ms'], keys: '\r', after: ['F'] },
  { name: '/ a complex filter', before: [`/${COMPLEX}`], keys: '\r', after: ['F'] },
  { name: 'p pick list', keys: 'p', after: [ESCAPE] },
  { name: '/ filter line', keys: '/', after: [ESCAPE] },
  { name: 'v cursor', keys: 'v', after: [ESCAPE] },
  { name: '/ then v', keys: '/lat>10ms\rv', after: [ESCAPE, 'F'] },
  { name: '! worst', keys: '!', after: [ESCAPE, '1', '\x1b[F'] },
  {
    name: '! worst, filtered',
    before: ['/lat<10ms\r'],
    keys: '!',
    after: [ESCAPE, '1', 'F', '\x1b[F'],
  },
  { name: 'enter on a cell', before: ['v'], keys: '\r', after: [ESCAPE, ESCAPE] },
  { name: 'enter on a wide box', before: WIDE_BOX, keys: '\r', after: [ESCAPE, ESCAPE, ESCAPE] },
  { name: 'V stacked', keys: 'V', after: v(6) },
  { name: 'V layers', before: v(1), keys: 'V', after: v(5) },
  { name: 'V size × latency', before: v(2), keys: 'V', after: v(4) },
  { name: 'V offset × latency', before: v(3), keys: 'V', after: v(3) },
  { name: 'V disks', before: v(4), keys: 'V', after: v(2) },
  { name: 'G grouping', keys: 'G', after: ['G', 'G', 'G'] },
  { name: 't charts', keys: 't', after: [ESCAPE] },
  { name: 't charts, 200 ms', before: ['+', '+'], keys: 't', after: [ESCAPE, '-', '-'] },
  { name: 't charts, filtered', before: ['/lat>1ms\r'], keys: 't', after: [ESCAPE, 'F'] },
  { name: 't left', before: ['+', '+', 't'], keys: LEFT, after: [ESCAPE, '-', '-', '\x1b[F'] },
  { name: 't longer', before: ['+', '+', '+', 't'], keys: '-', after: [ESCAPE, '-', '-'] },
  { name: 'G matrix', before: ['G', 'G'], keys: 'G', after: ['G'] },
  { name: 'G matrix, filtered', before: ['/lat>1us\r', 'G', 'G'], keys: 'G', after: ['G', 'F'] },
  { name: 'D all', before: [fileOf('D', '.ioheat')], keys: '\r', writes: true },
  {
    name: 'D all, filtered',
    before: ['/lat>1ms\r', fileOf('D', '.ioheat')],
    keys: '\r',
    after: ['F'],
    writes: true,
  },
  ...['.csv', '.parquet', '.png', '.html'].map((extension) => ({
    name: `E ${extension.slice(1)}`,
    before: ['+', '+', '+', fileOf('E', extension)],
    keys: '\r',
    after: ['-', '-', '-'],
    writes: true,
  })),
  {
    name: 'E png, filtered',
    before: [`/${COMPLEX}\r`, fileOf('E', '.png')],
    keys: '\r',
    after: ['F'],
    writes: true,
  },
  { name: '? help', keys: '?', after: [ESCAPE] },
];

let longestMs = 0;
let isMeasuring = true;

async function watch(): Promise<void> {
  let atMs = processorMs();
  while (isMeasuring) {
    await turn();
    const nowMs = processorMs();
    longestMs = Math.max(longestMs, nowMs - atMs);
    atMs = nowMs;
  }
}

const schedule = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
const stat = Buffer.alloc(64);

/** Of the thread that obeys keys: other load on the machine takes nothing away, nor do helpers add. */
function processorMs(): number {
  const length = readSync(schedule, stat, 0, stat.length, 0);
  return Number(stat.toString('latin1', 0, length).split(' ')[0]) / 1e6;
}

interface Answer {
  readonly longestMs: number;
  readonly firstMs: number;
}

async function settled(session: BusySession): Promise<void> {
  await sleep(60);
  while (session.isUnfinished) await sleep(5);
  await sleep(60);
}

async function press(
  session: BusySession,
  { before = [], keys, after = [], writes = false }: Press,
): Promise<Answer> {
  for (const one of before) {
    session.type(one);
    await settled(session);
  }
  await settled(session);
  longestMs = 0;
  const frames = session.terminal.frames;
  const startMs = performance.now();
  session.type(keys);
  while (session.terminal.frames === frames) await turn();
  const firstMs = session.terminal.lastFrameMs - startMs;
  await sleep(LOOK_MS);
  if (writes) {
    while (/^(writing|saving)/.test(session.notice)) await sleep(5);
    if (!/^(written|saved)/.test(session.notice)) throw new Error(session.notice);
    for (const file of readdirSync(folder)) rmSync(join(folder, file));
  }
  const answer = { longestMs, firstMs };
  for (const one of after) {
    session.type(one);
    await settled(session);
  }
  return answer;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function median(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1]!.toFixed(0).padStart(4);
}

const session = new BusySession(
  { rows: ROWS, spanNs: SPAN_NS, iops: IOPS, processes: 100 },
  HISTORY,
);
void session.session.run();
void watch();
await sleep(500);
say(
  `${session.session.monitor.history.rows} single I/Os, ${IOPS} more a second; ms, turns in processor time`,
);
for (const one of PRESSES.filter(({ name }) => CHOSEN.some((start) => name.startsWith(start)))) {
  const answers: Answer[] = [];
  for (let round = 0; round < ROUNDS; round++) answers.push(await press(session, one));
  const longest = answers.map((answer) => answer.longestMs);
  const most = Math.max(...longest)
    .toFixed(0)
    .padStart(4);
  const first = median(answers.map(({ firstMs }) => firstMs));
  say(
    `${one.name.padEnd(22)} first frame ${first}; longest turn: median ${median(longest)}, most ${most}`,
  );
}
isMeasuring = false;
rmSync(folder, { recursive: true });
session.type('\x03');
