import {
  formatBytes,
  formatByteRate,
  formatByteSum,
  formatCount,
  formatDuration,
  formatPercent,
  formatRate,
  UNKNOWN,
  plural,
} from '../../base/format.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import type { DeviceInfo } from '../../model/device.ts';
import type { Stalled } from '../../model/pressure.ts';
import { DEFAULT_LAYER, hasQueue, isOfPrograms, noneOf, nounOf } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import { spanText } from '../picture/figure-texts.ts';
import { LocalTime } from '../picture/local-time.ts';
import { alignTable } from '../picture/text-picture.ts';
import { slowestCells, slowestHeadings } from '../picture/slowest-lines.ts';
import { gapTexts } from './gap-texts.ts';
import { inFlightTexts } from './in-flight-texts.ts';
import { recordedText } from '../recorded-text.ts';
import { inWholeTrace, problemText, warningsOf } from '../trace/trace-info.ts';
import type { GroupFigures, Report } from './report.ts';

/** Rows of the tables on the page; JSON has all. */
const MOST_ROWS = 15;

/** One page for people; `heading` styles the titles of its tables for the terminal. */
export function reportText(
  report: Report,
  heading: (title: string) => string = (title) => title,
): string {
  const section = (title: string, table: readonly string[][]): string[] =>
    table.length === 0 ? [] : ['', heading(title), ...safeLines(sectionLines(table))];
  const lines = [
    ...safeLines([...headLines(report), '', ...totalLines(report)]),
    ...section('Disks', diskTable(report)),
    ...section('Processes', processTable(report)),
    ...section('Cgroups', cgroupTable(report)),
    ...section(`Slowest ${nounOf(report.layer)}s`, slowestTable(report)),
    ...section('Errors', errorTable(report)),
    ...section('In flight at the end', inFlightTable(report)),
    ...section('Notes', noteTable(report)),
    ...safeLines(missingLines(report)),
  ];
  return `${lines.join('\n')}\n`;
}

function safeLines(lines: readonly string[]): string[] {
  return lines.map((line) => sanitizeText(line).trimEnd());
}

function headLines(report: Report): string[] {
  const { header, files, filter, layer, otherLayers } = report;
  const on = header.host === '' ? '' : ` on ${header.host}`;
  const kernel = header.kernel === '' ? '' : `, kernel ${header.kernel}`;
  const lacks = header.unknown.length === 0 ? '' : `; unknown: ${header.unknown.join(', ')}`;
  return [
    `${filesText(files)}: ${subjectOf(layer)}${on}${kernel}`,
    `written by ${header.writer}${lacks}`,
    whenLine(report),
    ...ratesLine(report),
    ...(header.recordedOnly === '' ? [] : [recordedText(header)]),
    ...(filter === '' ? [] : [`filter: ${filter}`]),
    ...(layer === undefined || layer === DEFAULT_LAYER ? [] : [`layer: ${layer}`]),
    ...(layer === undefined ? [] : otherLayers.map((one) => `also recorded: --layer ${one}`)),
  ];
}

/** `a.ioheat`; for several, the first and the last, in the order of shells. */
export function filesText(files: readonly string[]): string {
  const [first = '', ...others] = files;
  if (others.length < 2) return files.join(' and ');
  return `${files.length} files, ${first} to ${others.at(-1)!}`;
}

function subjectOf(layer: Layer | undefined): string {
  return layer !== undefined && isOfPrograms(layer) ? layer : 'block I/O';
}

function whenLine({ header, layer, startNs, endNs }: Report): string {
  if (startNs === undefined || endNs === undefined) return noneOf(layer);
  const time = new LocalTime(header.clockBase, header.hasWallClock);
  const [from, to] = [time.date(startNs), time.date(endNs)];
  const begin = `${from === '' ? '' : `${from}, `}${time.clock(startNs, 3)}`;
  const end = `${from === to ? '' : `${to}, `}${time.clock(endNs, 3)}`;
  return `${begin} to ${end} (${time.zones(startNs, endNs)}), ${spanText(endNs - startNs)}`;
}

function ratesLine({ rates, layer, startNs }: Report): string[] {
  if (rates.isRecorded && rates.spanNs === 0) return ['the selected time is outside the recording'];
  const whole = rates.isWidened ? [WIDENED] : [];
  if (rates.isRecorded)
    return [`recorded for ${spanText(rates.spanNs)}; rates are over that time`, ...whole];
  return startNs === undefined
    ? []
    : [`recorded time unknown; rates are from the first ${nounOf(layer)} to the last`, ...whole];
}

const WIDENED = 'the selected time is widened: it cuts aggregates, which are counted whole';

function totalLines(report: Report): string[] {
  const { total, layer, stalled } = report;
  const { counts } = total;
  const kinds = Object.entries(counts ?? {})
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`);
  const unknown = total.count - Object.values(counts ?? {}).reduce((sum, one) => sum + one, 0);
  if (counts !== undefined && unknown > 0) kinds.push(`${unknown} unknown`);
  const split = kinds.length === 0 ? '' : ` (${kinds.join(', ')})`;
  const { bytesPerSecond } = total;
  const byteRate =
    bytesPerSecond === undefined
      ? ''
      : `, ${leastText(total.least.bytes)}${formatByteRate(bytesPerSecond)}`;
  return [
    `${total.count} ${plural(total.count, nounOf(layer))}${split}: ${formatRate(total.perSecond)}/s${marginText(total)}${byteRate}`,
    `${bytesMoved(total)}, ${failedText(total)}`,
    ...stalledLine(stalled),
    ...alignTable([
      ['', 'p50', 'p90', 'p99', 'p99.9', 'max'],
      ...latenciesOf(report).map((name) => {
        const { p50Ns, p90Ns, p99Ns, p999Ns, maxNs } = total[name];
        return [name, ...[p50Ns, p90Ns, p99Ns, p999Ns, maxNs].map(formatDuration)];
      }),
    ]),
  ];
}

type Shown = Pick<Report, 'layer' | 'header'>;

/** Whether the latencies are divided into queue and device. */
function isDivided({ layer = DEFAULT_LAYER, header }: Shown): boolean {
  return hasQueue(layer, header.latency);
}

function latenciesOf(shown: Shown) {
  return isDivided(shown) ? (['queue', 'device', 'total'] as const) : (['total'] as const);
}

function stalledLine(stalled: Stalled | undefined): string[] {
  if (stalled === undefined) return [];
  const [some, full] = [stalled.some, stalled.full].map(formatPercent);
  return [`tasks waited for storage ${some} of the time, all at once ${full}`];
}

function bytesMoved({ readBytes, writtenBytes, movedBytes, least }: GroupFigures): string {
  if (movedBytes === undefined) return 'bytes read and written unknown';
  if (readBytes === undefined || writtenBytes === undefined)
    return `${leastText(least.bytes)}${formatByteSum(movedBytes)} read or written`;
  const sign = leastText(least.divided);
  return `${sign}${formatByteSum(readBytes)} read, ${sign}${formatByteSum(writtenBytes)} written`;
}

function failedText({ errors, least }: GroupFigures): string {
  return errors === undefined ? 'failures unknown' : `${leastText(least.errors)}${errors} failed`;
}

/** Before a figure that is unknown of some of the I/O. */
function leastText(isLeast: boolean): string {
  return isLeast ? '≥' : '';
}

function figureHeadings(shown: Shown): string[] {
  const { layer = DEFAULT_LAYER } = shown;
  return [
    isOfPrograms(layer) ? `${capitalized(nounOf(layer))}s/s` : 'IOPS',
    ...['Rate', 'Read%', 'Wait%'],
    ...(isDivided(shown) ? ['Queue p50', 'p99', 'Device p50', 'p99'] : []),
    ...['Total p50', 'p99', 'max', 'Failed'],
  ];
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function figureCells(group: GroupFigures, shown: Shown): string[] {
  const { queue, device, total, counts, count, least } = group;
  const isShareKnown = count > 0 && counts !== undefined && !least.divided;
  return [
    `${formatRate(group.perSecond)}${marginText(group)}`,
    `${leastText(least.bytes)}${formatByteRate(group.bytesPerSecond)}`,
    isShareKnown ? formatPercent(counts.read / count) : UNKNOWN,
    formatPercent(group.waitShare),
    ...(isDivided(shown) ? [queue.p50Ns, queue.p99Ns, device.p50Ns, device.p99Ns] : []).map(
      formatDuration,
    ),
    ...[total.p50Ns, total.p99Ns, total.maxNs].map(formatDuration),
    failedCell(group),
  ];
}

function failedCell({ errors, least }: GroupFigures): string {
  if (errors === undefined || (errors === 0 && least.errors)) return UNKNOWN;
  return errors === 0 ? '' : `${leastText(least.errors)}${formatCount(errors)}`;
}

/** ` ±3%`, if the owners of I/O were estimated from a sample. */
function marginText({ margin }: GroupFigures): string {
  return margin === undefined ? '' : ` ±${formatPercent(margin)}`;
}

function diskTable(report: Report): string[][] {
  const { disks, devices } = report;
  const rows = disks.map((group) => {
    const device = devices.find(({ name }) => name === group.disk);
    return [
      group.disk,
      ...figureCells(group, report),
      device === undefined ? '' : aboutDisk(device),
    ];
  });
  return rows.length === 0 ? [] : [['Disk', ...figureHeadings(report), 'About'], ...rows];
}

function aboutDisk({ sizeBytes, rotational, scheduler, model }: DeviceInfo): string {
  const kind = rotational === undefined ? undefined : rotational ? 'rotating' : 'solid state';
  const size = sizeBytes === undefined ? undefined : formatByteSum(sizeBytes);
  const scheduling = scheduler === 'none' ? 'no scheduler' : scheduler;
  return [size, kind, scheduling, model].filter((part) => part !== undefined).join(', ');
}

function processTable(report: Report): string[][] {
  const rows = report.processes.map((group) => [
    group.pid === undefined ? UNKNOWN : String(group.pid),
    group.title,
    ...figureCells(group, report),
  ]);
  return rows.length === 0 ? [] : [['PID', 'Process', ...figureHeadings(report)], ...rows];
}

function cgroupTable(report: Report): string[][] {
  const rows = report.cgroups.map((group) => [
    group.cgroup,
    ...figureCells(group, report),
    group.stalled === undefined ? UNKNOWN : formatPercent(group.stalled.some),
  ]);
  return rows.length === 0 ? [] : [['Cgroup', ...figureHeadings(report), 'Stalled'], ...rows];
}

function slowestTable({ slowest, layer, header }: Report): string[][] {
  const time = new LocalTime(header.clockBase, header.hasWallClock);
  return slowest.length === 0
    ? []
    : [[...slowestHeadings(layer)], ...slowest.map(({ io }) => slowestCells(io, time, layer))];
}

function errorTable({ errors, layer }: Report): string[][] {
  const rows = errors.map(({ disk, op, text, count }) => [
    disk,
    op ?? UNKNOWN,
    text,
    String(count),
  ]);
  return rows.length === 0
    ? []
    : [['Disk', 'Operation', 'Error', `${capitalized(nounOf(layer))}s`], ...rows];
}

function inFlightTable({ inFlight = [] }: Report): string[][] {
  const rows = inFlight.map((io) => [
    formatDuration(io.ageNs),
    io.stage ?? UNKNOWN,
    io.disk,
    io.tgid === undefined ? UNKNOWN : String(io.tgid),
    io.comm,
    io.via ?? '',
    io.file ?? UNKNOWN,
    io.opClass ?? UNKNOWN,
    formatBytes(io.bytes),
    io.sector === undefined ? UNKNOWN : String(io.sector),
  ]);
  const head = ['Age', 'Stage', 'Disk', 'PID', 'Process', 'Via', 'File', 'Operation'];
  return rows.length === 0 ? [] : [[...head, 'Size', 'Sector'], ...rows];
}

function noteTable({ notes, header }: Report): string[][] {
  const time = new LocalTime(header.clockBase, header.hasWallClock);
  const rows = notes.map(({ atNs, text }) => [time.clock(atNs, 3), text]);
  return rows.length === 0 ? [] : [['Time', 'Note'], ...rows];
}

function sectionLines(table: readonly string[][]): string[] {
  const more = table.length - 1 - MOST_ROWS;
  const safe = table.slice(0, MOST_ROWS + 1).map((cells) => cells.map(sanitizeText));
  return [...alignTable(safe), ...(more > 0 ? [`and ${more} more; --json has all`] : [])];
}

function lostLines({ lostOn, counted }: Report): string[] {
  const where = inWholeTrace(counted);
  return lostOn.map(({ disk, way, count }) => `Lost on ${disk}${where}: ${count} (${way})`);
}

function missingLines(report: Report): string[] {
  const { counters, counted, layer, problems, undecided, gaps } = report;
  const lines = [...warningsOf(counters, [], counted), ...lostLines(report)];
  if (undecided > 0)
    lines.push(`${undecided} ${plural(undecided, nounOf(layer))} may match the filter or not`);
  lines.push(...inFlightTexts(report.inFlight, layer), ...gapTexts(gaps, report.header));
  lines.push(...problems.map(problemText));
  return lines.length === 0 ? ['', 'Nothing is missing.'] : ['', 'What is missing', ...lines];
}
