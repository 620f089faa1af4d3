import { Resvg } from '@resvg/resvg-js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWhole } from '../e2e/support/screens.ts';
import { useSessions } from '../e2e/support/sessions.ts';
import type { DeviceInfo } from '../../src/model/device.ts';
import { createColumns } from '../../src/model/completion-columns.ts';
import { packDevice } from '../../src/model/device.ts';
import { BACKGROUND_QUESTION } from '../../src/terminal/background.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import { END_OF_STREAM } from '../../src/trace/recording/arrow/arrow-message.ts';
import { RecordingEncoder } from '../../src/trace/recording/format/recording-encoder.ts';
import { bytesOf, HEADER } from '../trace/recording/fixtures/record.ts';
import { runScript } from './run.ts';

/** Names as processes, disks and cgroups may have them, of at most the 15 bytes of a process. */
const NAMES: readonly string[] = [
  '\x1b]0;owned\x07',
  '\x1b[31mred\x1b[2J',
  '\u009b33mcsi',
  '\u0090+q544e\u009c',
  'a\r\n\tb\x08\x7f\x00c',
  '\u202egnp.exe\u2066',
  'zero\u200bwidth\ufeff',
  '世界🙂',
  'cafe\u0301',
  '\ud800half',
  '',
  'fifteen letters',
  '","x":"\\u001b',
  '=1+1\'"`$(id)',
  '<script>a</a>',
  '&lt;]]>--!><svg',
  '../../etc/x',
];

const NO_COUNTERS = { delivered: NAMES.length, summarised: 0, lost: 0, losses: {} };

/** A recording in which every name is that of a process, of a disk and of a cgroup. */
async function hostileRecording(): Promise<Uint8Array> {
  const identities = new IdentityTable();
  const disks = NAMES.map((name, index): DeviceInfo => {
    return { dev: packDevice(253, index), name, sizeBytes: 1 << 30, model: name };
  });
  const find = (dev: number): DeviceInfo | undefined => disks.find((disk) => disk.dev === dev);
  const encoder = new RecordingEncoder({
    header: { ...HEADER, host: NAMES[0]!, title: NAMES[1]!, kernel: NAMES[2]! },
    identities,
    names: {
      devices: { device: find, devices: () => disks },
      cgroups: { name: (id) => NAMES[id - 1] },
    },
  });
  const rows = createColumns(NAMES.length * 20);
  for (let row = 0; row < NAMES.length * 20; row++) {
    const index = row % NAMES.length;
    const owner = { tgid: 100 + index, tid: 100 + index, comm: NAMES[index]!, cgroup: index + 1 };
    const key = { ...owner, dev: disks[index]!.dev, cmdFlags: row % 2, error: 0, marks: 0 };
    rows.identity[row] = identities.intern(key);
    rows.completeNs[row] = row * 10e6;
    rows.deviceNs[row] = 1e5 + row * 1000;
    rows.queueNs[row] = 1000;
    rows.sector[row] = row * 8;
    rows.bytes[row] = 4096;
    rows.length++;
  }
  const parts = [encoder.begin(), await bytesOf(encoder.append(rows))];
  parts.push(await bytesOf(encoder.flush(NO_COUNTERS)), END_OF_STREAM);
  return Buffer.concat(parts);
}

let folder: string;
let file: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ioheat-hostile-'));
  file = join(folder, 'hostile.ioheat');
  writeFileSync(file, await hostileRecording());
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** C0 but for the end of a line, DEL, C1, what turns the direction of text, what has no width. */
const HARMFUL = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;

describe('names from a recording', () => {
  const once = '--once --columns 200 --rows 60';
  const OUTPUTS: readonly (readonly [what: string, args: string])[] = [
    ['a frame as text', `replay FILE ${once}`],
    ['the report', 'report FILE'],
    ['the report as JSON', 'report FILE --json'],
    ['NDJSON', 'export FILE --format ndjson'],
    ['the columns of biosnoop', 'export FILE --format biosnoop'],
    ['pairs for trace2heatmap', 'export FILE --format trace2heatmap'],
    ['a picture as text', 'export FILE --format text'],
    ['SVG', 'export FILE --format svg'],
    ['HTML', 'export FILE --format html'],
  ];

  async function output(args: string): Promise<string> {
    const outcome = await runScript(`$IOHEAT ${args.replace('FILE', `'${file}'`)}`);
    expect(outcome).toMatchObject({ status: 0 });
    expect(outcome.stderr).not.toMatch(HARMFUL);
    return outcome.stdout;
  }

  test.each(OUTPUTS)(
    'hostile names from a recording do nothing to a terminal in %s',
    async (_, args) => {
      const text = await output(args);
      expect(text.length).toBeGreaterThan(100);
      expect(text).not.toMatch(HARMFUL);
    },
  );

  test('hostile names from a recording are unchanged when parsed from JSON', async () => {
    const lines = (await output('export FILE --format ndjson')).trimEnd().split('\n');
    const comms = lines.map((line) => (JSON.parse(line) as { comm: string }).comm);
    expect(new Set(comms).size).toBe(NAMES.length);
    expect(comms).toContain('=1+1\'"`$(id)');
    expect(comms).toContain('","x":"\\u001b');
  });

  test('hostile names from a recording are text, not markup, in SVG and HTML', async () => {
    const svg = await output('export FILE --format svg');
    expect(new Resvg(svg, { font: { loadSystemFonts: false } }).width).toBeGreaterThan(0);
    for (const text of [svg, await output('export FILE --format html')]) {
      expect(text).not.toContain('<script>a');
      expect(text).not.toContain('--!><svg');
    }
  });
});

const { ioheat, bash } = useSessions();

test('hostile names in CSV printed on a terminal do nothing to it', async () => {
  // To a file or another program, they go as they are, in quotes: that is what CSV has.
  const session = bash(`$IOHEAT export '${file}' --format csv; echo done; read`, { columns: 200 });
  await session.waitFor('done');
  expect(session.output).toContain('fifteen letters');
  expect(session.output.replaceAll('\r\n', '')).not.toMatch(HARMFUL);
});

/** Sequences that move, colour, clear and shift, modes and the title: all that the program has to say. */
const OWN_SEQUENCES = /\x1b\[[?>]?[\d;]*[ABCDGHJKPXdhlmrqu@$pcntS]|\x1b[78=>]|[\r\n\b]/g;

test('hostile names from a recording do nothing to any part of the screen', async () => {
  const session = ioheat(['replay', file], { columns: 160, rows: 50 });
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  await session.waitFor(/<script>a<\/a>/);
  const esc = '\x1b';
  // Pick lists, the other tables, the choice of columns, a selection and its I/Os, charts, the prompts.
  for (const keys of [
    'p',
    esc,
    'd',
    esc,
    'G',
    'G',
    '\t',
    'C',
    esc,
    'v',
    '\r',
    esc,
    esc,
    't',
    esc,
    '!',
  ])
    session.type(keys);
  session.type('\r');
  await session.waitUntil(() => isWhole(session), 'waiting for a whole frame');
  session.type('q');
  await session.waitUntil(() => isWhole(session), 'waiting for a whole frame');
  const said = session.output.replace(BACKGROUND_QUESTION, '').replace(OWN_SEQUENCES, '');
  expect(said).not.toMatch(HARMFUL);
});
