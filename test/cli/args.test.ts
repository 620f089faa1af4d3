import { describe, expect, it } from 'vitest';
import { parseArgs } from '../../src/cli/args.ts';
import type { Options } from '../../src/cli/options.ts';
import { NO_FILTER } from '../../src/filter/filter.ts';
import { formatFilter } from '../../src/filter/language/format.ts';

async function options(...argv: string[]): Promise<Options> {
  const parsed = await parseArgs(argv, '1.2.3');
  if (!parsed.ok) throw new Error(parsed.error.what);
  if (!('options' in parsed.value)) throw new Error(`no options: ${JSON.stringify(parsed.value)}`);
  return parsed.value.options;
}

async function refusal(...argv: string[]): Promise<string> {
  const parsed = await parseArgs(argv, '1.2.3');
  if (parsed.ok) throw new Error('accepted');
  expect(parsed.error.exitCode).toBe(2);
  return parsed.error.what;
}

async function printed(...argv: string[]): Promise<string> {
  const parsed = await parseArgs(argv, '1.2.3');
  if (!parsed.ok || !('print' in parsed.value)) throw new Error('nothing printed');
  return parsed.value.print;
}

describe('command line', () => {
  it('traces live with the defaults when nothing is said', async () => {
    expect(await options()).toMatchObject({
      command: 'live',
      view: {},
      historyBytes: 256 * 2 ** 20,
      ringBytes: 32 * 2 ** 20,
      once: false,
      stayRoot: false,
      disks: [],
      pids: [],
      ops: [],
    });
  });

  it('takes the same options with and without the word live', async () => {
    expect(await options('--metric', 'size')).toEqual(await options('live', '--metric', 'size'));
  });

  it('knows what was said of the view from what was not', async () => {
    const given = await options('--metric', 'size', '--outliers', 'none', '--palette', 'grey');
    expect(given.view).toEqual({ metric: 'size', outlierCut: 0, palette: 'grey' });
  });

  it('collects repeated disks, PIDs and operations', async () => {
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

  it('takes a filter in words, and nothing for everything', async () => {
    expect((await options()).filter).toEqual(NO_FILTER);
    expect((await options('--filter', '')).filter).toEqual(NO_FILTER);
    const { filter } = await options('--filter', 'disk=sda not pid=1');
    expect(formatFilter(filter)).toBe('disk=sda pid!=1');
  });

  it('reads durations and sizes with their units', async () => {
    const given = await options('--interval', '200ms', '--history', '1G', '--duration', '1.5s');
    expect(given).toMatchObject({
      view: { intervalNs: 200e6 },
      historyBytes: 2 ** 30,
      durationNs: 1.5e9,
    });
  });

  it('draws the mixed pattern by default and any other by name', async () => {
    expect(await options('demo')).toMatchObject({ command: 'demo', pattern: 'mixed', seed: 1 });
    expect(await options('demo', 'icy-lake', '--seed', '7')).toMatchObject({
      pattern: 'icy-lake',
      seed: 7,
    });
  });

  it.each([
    [['--interval', '5'], 'not a duration'],
    [['--interval', '11m'], '--interval must lie between 100ms and 10m'],
    [['--history', '1M'], '--history must lie between 16M and 16G'],
    [['--ring', '100000'], 'power of two'],
    [['--pid', 'mysqld'], '"mysqld" is not a process ID'],
    [
      ['--filter', 'op=read latt>1ms'],
      '--filter, at "latt>1ms": no field "latt"; did you mean lat?',
    ],
    [['--filter', 'lat>'], '--filter, at its end: expected a latency such as 10ms'],
    [['--columns', '0'], '--columns must be a whole number from 1 to 1000'],
    [['--metric', 'colour'], 'metric'],
    [['demo', 'mona-lisa'], 'mona-lisa'],
    [['--disc', 'sda'], 'disc'],
    [['replay-this'], 'replay-this'],
    [['doctor', '--metric', 'size'], 'metric'],
    [['--metric'], 'metric'],
  ])('refuses %j and says why', async (argv, reason) => {
    expect(await refusal(...argv)).toContain(reason);
  });

  it('prints its version and its help instead of exiting by itself', async () => {
    expect(await printed('--version')).toBe('1.2.3');
    const help = await printed('--help');
    expect(help).toContain('ioheat demo [pattern]');
    expect(help).toContain('--history');
    expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});
