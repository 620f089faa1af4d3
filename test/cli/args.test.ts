import { describe, expect, it } from 'vitest';
import { formatError } from '../../src/base/result.ts';
import { parseArgs } from '../../src/cli/args.ts';
import type { Options } from '../../src/app/options/options.ts';
import { NO_FILTER } from '../../src/filter/filter.ts';
import { formatFilter } from '../../src/filter/language/format.ts';
import { must } from '../must.ts';

async function options(...argv: string[]): Promise<Options> {
  const parsed = must(await parseArgs(argv, '1.2.3'));
  if (!('options' in parsed)) throw new Error(`no options: ${JSON.stringify(parsed)}`);
  return parsed.options;
}

async function refusal(...argv: string[]): Promise<string> {
  const parsed = await parseArgs(argv, '1.2.3');
  if (parsed.ok) throw new Error('accepted');
  expect(parsed.error.exitCode).toBe(2);
  return formatError(parsed.error);
}

async function printed(...argv: string[]): Promise<string> {
  const parsed = await parseArgs(argv, '1.2.3');
  if (!parsed.ok || !('print' in parsed.value)) throw new Error('nothing printed');
  return parsed.value.print;
}

describe('command line', () => {
  it('ioheat without arguments traces live with the defaults', async () => {
    expect(await options()).toMatchObject({
      command: 'live',
      view: {},
      historyBytes: 256 * 2 ** 20,
      ringBytes: undefined,
      budget: 0.05,
      once: false,
      stayRoot: false,
      disks: [],
      pids: [],
      ops: [],
    });
  });

  it('live tracing takes the same options with and without the word live', async () => {
    expect(await options('--metric', 'size')).toEqual(await options('live', '--metric', 'size'));
  });

  it('options given on the command line are told apart from defaults', async () => {
    const given = await options('--metric', 'size', '--outliers', 'none', '--palette', 'grey');
    expect(given.view).toEqual({ metric: 'size', outlierCut: 0, palette: 'grey' });
  });

  it.each([
    ['false', 'spectrum'],
    ['blind', 'colorblind'],
  ])('--palette accepts the former name %s for %s', async (former, palette) => {
    expect((await options('--palette', former)).view).toEqual({ palette });
    expect((await options('--palette', 'heat', '--palette', former)).view).toEqual({ palette });
    const exported = await parseArgs(['export', 'x', '--format=png', `--palette=${former}`], '1');
    expect(exported).toMatchObject({
      ok: true,
      value: { trace: { options: { view: { palette } } } },
    });
  });

  it('repeated --disk, --pid and --op options are collected', async () => {
    const given = await options(
      ...['--disk', 'sda', '--disk', 'sdb', '--pid', '12', '--pid=34,56'],
      ...['--op', 'write', '--op', 'flush'],
    );
    expect(given).toMatchObject({
      disks: ['sda', 'sdb'],
      pids: [12, 34, 56],
      ops: ['write', 'flush'],
    });
  });

  it('--filter takes an expression, and an empty one filters nothing', async () => {
    expect((await options()).filter).toEqual(NO_FILTER);
    expect((await options('--filter', '')).filter).toEqual(NO_FILTER);
    const { filter } = await options('--filter', 'disk=sda not pid=1');
    expect(formatFilter(filter)).toBe('disk=sda pid!=1');
  });

  it('options accept durations and sizes with their units', async () => {
    const given = await options(
      '--interval',
      '200ms',
      '--history',
      '1G',
      '--once',
      '--duration',
      '1.5s',
    );
    expect(given).toMatchObject({
      view: { intervalNs: 200e6 },
      historyBytes: 2 ** 30,
      durationNs: 1.5e9,
    });
  });

  it.each(['14:02', '14:02:30.5', '3m ago', '2026-01-31 14:02', '2026-01-31T14:02Z', '+90s'])(
    'a time such as %j is one for every option that takes a time',
    async (word) => {
      expect(await options('replay', 'x', '--at', word)).toMatchObject({ at: word });
      const given = await parseArgs(['report', 'x', '--from', word, '--to', word], '1.2.3');
      expect(given).toMatchObject({ value: { trace: { asked: { from: word, to: word } } } });
    },
  );

  it('demo draws the mixed pattern by default and any other by name', async () => {
    expect(await options('demo')).toMatchObject({ command: 'demo', pattern: 'mixed', seed: 1 });
    expect(await options('demo', 'icy-lake', '--seed', '7')).toMatchObject({
      pattern: 'icy-lake',
      seed: 7,
    });
  });

  it.each(['icylake', 'Icy-Lake', 'icy_lake'])(
    'the command line takes the pattern %s for icy-lake',
    async (typed) => {
      expect((await options('demo', typed)).pattern).toBe('icy-lake');
    },
  );

  it('the command line takes a letter for a common option, as for the option in full', async () => {
    const short = ['-d', 'sda', '-d', 'sdb', '-p=7', '-n', '200ms', '-v', '-f', '-w', 'io.ioheat'];
    const full = ['--disk', 'sda', '--disk', 'sdb', '--pid=7', '--interval', '200ms', '--verbose'];
    expect(await options(...short)).toEqual(
      await options(...full, '--force', '--write', 'io.ioheat'),
    );
    expect(await parseArgs(['export', 'a', '-o', 'b.csv'], '1')).toMatchObject({
      ok: true,
      value: { trace: { asked: { output: 'b.csv', format: 'csv' } } },
    });
    expect((await options('replay', '--', '-d')).files).toEqual(['-d']);
  });

  it('the command line says what is wrong with a letter as it was typed', async () => {
    expect(await refusal('demo', '-o', 'x')).toContain('-o: not an option of ioheat demo, only of');
    expect(await refusal('-d')).toContain('-d requires a value: a disk such as sda');
    expect(await refusal('-f=3')).toContain('-f takes no value');
  });

  it.each([
    [
      '--metric utilization --layout stacked',
      'not in the layout stacked, which shows device, queue,',
    ],
    ['replay a --metric offset --layout files', '--metric offset: not in the layout files'],
    ['--metric queue --layer waits', '--metric queue: waits have no queue of their own'],
    ['export a -o b.svg --metric size --layout layers', '--metric size: not in the layout layers'],
    ['--once --layout disks --scale linear', '--scale: no effect in the layout disks'],
    ['demo --once --layout files --outliers 1', '--outliers: no effect in the layout files'],
    ['demo --once --metric offset --outliers 1', '--outliers: no effect on offset'],
    ['export a -o b.svg --metric file-offset --outliers 1', '--outliers: no effect on file-offset'],
    ['export a -o b.svg --metric utilization --outliers none', '--outliers: no effect on utiliza'],
    ['export a -o b.svg --metric utilization --weight bytes', '--weight: no effect on utilization'],
    ['export a -o b.svg --metric offset --scale log', '--scale log: offset is always linear'],
  ])('refuses options of which one would do nothing: %s', async (typed, why) => {
    expect(await refusal(...typed.split(' '))).toContain(why);
  });

  it('allows what a key may still bring into effect', async () => {
    expect((await options('--layout', 'disks', '--scale', 'linear')).view).toEqual({
      layout: 'disks',
      scale: 'linear',
    });
    // The maps of a stack that are not of offsets have outliers.
    const stacked = ['--once', '--layout', 'stacked', '--metric', 'offset', '--outliers', 'none'];
    expect((await options(...stacked)).view.outlierCut).toBe(0);
    for (const metric of ['device', 'offset', 'size'])
      expect((await options('--metric', metric, '--layout', 'stacked')).view.metric).toBe(metric);
  });

  it('the command line takes choices without their dashes, but no sign from a number', async () => {
    expect((await options('--layout', 'SizeLatency')).view).toEqual({ layout: 'size-latency' });
    expect(await refusal('--outliers', '-1')).toContain('--outliers: "-1" is not one of none');
  });

  it.each([
    [['--budget', '0.5%'], 0.005],
    [['--budget', '20'], 0.2],
    [['--budget', 'off'], Infinity],
    [['record', 'x.ioheat'], Infinity],
    [['record', 'x.ioheat', '--budget', '5%'], 0.05],
  ])('a recording has every I/O unless a budget is asked for: %s', async (args, budget) => {
    expect(await options(...args)).toMatchObject({ budget });
  });

  it.each([
    [
      ['--interval', '5'],
      '--interval: "5" is not a time from 100ms to 10m; see ioheat live --help',
    ],
    [
      ['demo', '--interval', '11m'],
      '"11m" is not a time from 100ms to 10m; see ioheat demo --help',
    ],
    [['--history', '1M'], '--history: "1M" is not a size from 16M to 16G'],
    [['--ring', '100000'], '--ring: "100000" is not a power of two from 64k to 1G'],
    [['--budget', '0'], '--budget: "0" is not 0.1% to 100% of a core, or off'],
    [['record', 'x', '--budget', '5x'], '--budget: "5x" is not 0.1% to 100% of a core, or off'],
    [['--pid', 'mysqld'], '--pid: "mysqld" is not a process ID'],
    [['--pid', '1,-2'], '--pid: "1,-2" is not a process ID'],
    [['--disk', ''], '--disk: "" is not a disk such as sda, or major:minor'],
    [['--disk', 'sda,'], '--disk: "sda," is not a disk'],
    [
      ['--filter', 'op=read latt>1ms'],
      '--filter: at "latt>1ms", no field "latt"; did you mean lat?',
    ],
    [['--filter', 'lat>'], '--filter: at the end, expected a latency such as 10ms'],
    [['--columns', '39'], '--columns: "39" is not a whole number from 40 to 1000'],
    [['--columns', '-5'], '--columns: "-5" is not a whole number from 40 to 1000'],
    [['--rows', '11'], '--rows: "11" is not a whole number from 12 to 500'],
    [['--metric', 'colour'], '--metric: "colour" is not one of device, queue, total, offset'],
    [['--metric', 'colour', '--metric', 'size'], '--metric: "colour" is not one of device'],
    [['--metric='], '--metric: "" is not one of device'],
    [['--metric'], '--metric requires a value: one of device, queue'],
    [['--metric', '--once'], '--metric requires a value: one of device, queue'],
    [
      ['--filter', '-x'],
      '--filter requires a value: a filter such as "disk=sda lat>10ms"; write --filter=VALUE',
    ],
    [['demo', 'mona-lisa'], 'PATTERN: "mona-lisa" is not one of mixed, '],
    [['demo', 'storm', 'storm'], 'unexpected "storm": ioheat demo takes only [PATTERN]'],
    [['--disc', 'sda'], 'unknown option --disc; did you mean --disk?'],
    [['--met', 'size'], 'unknown option --met; did you mean --metric?'],
    [['-disk', 'sda'], 'unknown option -disk; did you mean --disk?'],
    [['-x'], 'unknown option -x; see ioheat live --help'],
    [['-xyz'], 'unknown option -xyz; see ioheat live --help'],
    [['--disk.x=3'], 'unknown option --disk.x; did you mean --disk?'],
    [['--__proto__=3'], 'unknown option --__proto__; see ioheat live --help'],
    [['--no-once'], 'unknown option --no-once'],
    [['--help=3'], '--help takes no value; write --help alone'],
    [['replay-this'], 'unknown command "replay-this": it is not one of live, demo, record'],
    [['dmeo'], 'did you mean ioheat demo?'],
    [['help', 'dmeo'], 'unknown command "dmeo": it is not one of live, demo'],
    [['help', 'dmeo'], 'did you mean ioheat demo?'],
    [['hlep'], 'did you mean ioheat help?'],
    [['version'], 'did you mean ioheat --version?'],
    [['stomr'], 'did you mean ioheat demo storm?'],
    [['icylake'], 'did you mean ioheat demo icy-lake?'],
    [['--metirc', 'size'], 'unknown option --metirc; did you mean --metric?'],
    [['--metric', 'ofset'], 'offset, size, utilization, file-offset; did you mean offset?'],
    [['demo', 'icylaek'], 'shouting, offsets, storm, layers; did you mean icy-lake?'],
    [['export', 'x', '--format', 'cvs'], 'svg, png, html; did you mean csv?'],
    [['storm'], 'did you mean ioheat demo storm?'],
    [['io.ioheat'], 'did you mean ioheat replay FILE?'],
    [[''], 'unknown command ""'],
    [
      ['doctor', '--metric', 'size'],
      '--metric: not an option of ioheat doctor, only of live, demo',
    ],
    [['doctor', 'x'], 'unexpected "x": ioheat doctor takes only options'],
    [['--', 'demo'], 'unexpected "demo": ioheat live takes only options'],
    [['demo', '--', '--once'], 'PATTERN: "--once" is not one of mixed'],
    [['replay'], 'replay requires FILE: a file name, or -; see ioheat replay --help'],
    [['replay', ''], 'FILE: "" is not a file name, or -'],
    [['record'], 'record requires FILE'],
    [['paint', '--target', 'x'], 'paint requires TEXT'],
    [['paint', 'hi'], '--target: no disk or file given to do the I/O on'],
    [
      ['export', 'x', '-o', 'x.csv', '--columns', '80'],
      '--columns: no effect on rows (csv); drop --columns, or choose the format of a picture',
    ],
    [['export', 'x', '--format', 'ndjson', '--metric', 'size'], '--metric: no effect on rows'],
    [['export', 'x'], 'cannot export: no format given; choose a format with --format: csv'],
    [
      ['export', 'x', '-o', 'x.constructor'],
      'x.constructor has no known extension; choose a format',
    ],
    [['report', 'x', '--from', 'soon'], '--from: "soon" is not a time such as 14:02'],
    [['replay', 'x', '--at', '5'], '--at: "5" is not a time such as 14:02, "3m ago", 50% or +90s'],
    [['demo', '--write', '-'], '--write: "-" is not a file name'],
    [['demo', '--duration', '5s'], '--duration: no effect without --once; add --once'],
    [['record', 'F', '--keep', '3'], '--keep: no effect without --rotate; add --rotate'],
    [['record', 'F', '--seed', '3'], '--seed: no effect without --source demo; add --source demo'],
    [['demo', '--columns', '80'], '--columns: no effect without --once; add --once'],
    [
      ['--once', '--rotate', '1M'],
      '--rotate: no effect with --once alone; add --write, or drop --rotate',
    ],
    [['demo', '--once', '--summary'], '--summary: no effect with --once alone; add --write'],
    [['--rows', '30'], '--rows: no effect without --once'],
    [['replay', 'x', '--color', 'never'], '--color: no effect without --once'],
    [['demo', '-f'], '-f: no effect without --write; add --write, or drop -f'],
    [['export', 'x', '--format', 'csv', '--force'], '--force: no effect without --output'],
    [['--once', '--no-mouse'], '--no-mouse: no effect with --once; drop --no-mouse'],
    [['replay', 'x', '--once', '--speed', '2'], '--speed: no effect with --once; drop --speed'],
    [['paint', 'HI', '--target', 'x', '--overwrite'], '--overwrite: no effect without --op write'],
  ])('the command line %j is refused with the reason', async (argv, reason) => {
    expect(await refusal(...argv)).toContain(reason);
  });

  it.each(['--stay-root', '--hide-self', '--waits', '--calls', '--ring=1M', '--budget=1%'])(
    'record refuses %s with --source demo, because a pattern is not traced',
    async (option) => {
      expect(await refusal('record', 'F', '--source', 'demo', option)).toMatch(
        /^--[a-z-]+: no effect with --source demo; drop --/,
      );
    },
  );

  it('record refuses a demo pattern without --source demo', async () => {
    const sentence =
      'record: the pattern storm requires --source demo; add --source demo, or drop storm to record this machine';
    expect(await refusal('record', 'F', 'storm')).toBe(sentence);
    expect(await refusal('record', 'F', 'storm', '--source', 'live')).toBe(sentence);
    expect(await options('record', 'F', 'storm', '--source', 'demo')).toMatchObject({
      pattern: 'storm',
      recording: { file: 'F', isDemo: true },
    });
  });

  it('options may stand before or after the command, and words after -- are files', async () => {
    const given = await options('demo', 'storm', '--once', '--rows', '30');
    expect(await options('--once', 'demo', '--rows=30', 'storm')).toEqual(given);
    expect(await options('--rows', '30', '--once', 'demo', '--', 'storm')).toEqual(given);
    expect(await options('replay', '--', '--once', '-')).toMatchObject({ files: ['--once', '-'] });
  });

  it('an option takes a value that starts with a dash after an equals sign', async () => {
    expect((await options('demo', '--write=-x')).recording.file).toBe('-x');
  });

  it('the last of a repeated option wins, and a repeated flag counts once', async () => {
    const given = await options('--metric', 'size', '--metric', 'offset', '--once', '--once');
    expect(given).toMatchObject({ once: true, view: { metric: 'offset' } });
    const paint = await parseArgs(['paint', 'HI', '--target', 'a', '--target', 'b'], '1.2.3');
    expect(paint).toMatchObject({ ok: true, value: { paint: { target: 'b' } } });
  });

  it.each([
    [['help'], 'ioheat demo [pattern]'],
    [['help', 'help'], 'ioheat demo [pattern]'],
    [['help', 'paint'], '--target'],
    [['paint', '-h'], '--target'],
    [['-h', 'paint'], '--target'],
    [['demo', '--nonsense', '--help'], '--seed'],
  ])('ioheat prints help for %j', async (argv, text) => {
    expect(await printed(...argv)).toContain(text);
  });

  it('parsing --version and --help returns their text and does not exit', async () => {
    expect(await printed('--version')).toBe('1.2.3');
    const help = await printed('--help');
    expect(help).toContain('ioheat demo [pattern]');
    expect(help).toContain('--history');
    expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});
