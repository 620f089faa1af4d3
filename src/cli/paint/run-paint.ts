import { plural } from '../../base/format.ts';
import type { Result } from '../../base/result.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import { ExitCode, err, ok } from '../../base/result.ts';
import { keepAwake } from '../../paint/awake.ts';
import { calibrate, sizesToTry, type TimedIo } from '../../paint/calibrate.ts';
import {
  latencyBands,
  latencyPalette,
  latencySizes,
  offsetPalette,
  sizePalette,
} from '../../paint/plan.ts';
import type { Palette, Stroke } from '../../paint/plan.ts';
import { paint } from '../../paint/painter.ts';
import type { Painting, PaintReport } from '../../paint/painter.ts';
import { openTarget } from '../../paint/target.ts';
import type { PaintTarget } from '../../paint/target.ts';
import { confineFor } from '../confine-for.ts';
import type { Pass } from '../power-gate.ts';
import { tell } from '../print.ts';
import type { PaintOptions } from './paint-options.ts';
import { holdAndDrop } from './paint-power.ts';
import { PaintTimer } from './paint-timer.ts';

/** A busy moment makes small I/Os slow, and large ones hardly slower. */
const CALIBRATIONS = 10;

/** Does I/O until the text is painted, or a signal ends it. */
export async function runPaint(options: PaintOptions, pass: Pass): Promise<Result<ExitCode>> {
  const { target: path, writes, newBytes } = options;
  const held = holdAndDrop(options, pass);
  if (!held.ok) return held;
  if (pass.kind === 'descriptor') await confineFor({ kind: 'powerless', handover: undefined });
  const opened = openTarget({ path, writes, newBytes, held: held.value.disk });
  if (!opened.ok) return opened;
  const target = opened.value;
  try {
    return await paintOn(target, options, held.value.awakeFd);
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause)) throw cause;
    return err({ exitCode: ExitCode.failed, what: `I/O to ${path} failed`, why: cause.message });
  } finally {
    target.dispose();
  }
}

async function paintOn(
  target: PaintTarget,
  options: PaintOptions,
  awakeFd: number | undefined,
): Promise<Result<ExitCode>> {
  const timer = new PaintTimer();
  const awake = keepAwake(awakeFd);
  try {
    return await paintWith(target, options, timer);
  } finally {
    awake.dispose();
    timer.dispose();
  }
}

async function paintWith(
  target: PaintTarget,
  options: PaintOptions,
  timer: PaintTimer,
): Promise<Result<ExitCode>> {
  const timed = timedIo(target, timer);
  const ink = await inkFor(target, options, (bytes) => timed({ offset: 0, bytes }), timer);
  if (!ink.ok) return ink;
  if (ink.value === undefined) return ok(ExitCode.fine);
  const safe = checkFree(target, ink.value.palette, options);
  if (!safe.ok) return safe;
  const { columns, intervalNs } = options;
  tell(startText(options));
  const report = await paint({ columns, ...ink.value, intervalNs }, timed, timer, (column) => {
    tell(`${columnText(columns[column] ?? [])}\n`);
  });
  tell(endText(report, options));
  return ok(ExitCode.fine);
}

const WARM_UP = 64;

/** I/O, and what it took beyond what the quickest call takes that does none. */
function timedIo(target: PaintTarget, timer: PaintTimer): (stroke: Stroke) => number {
  const timed = (stroke: Stroke): number => {
    const startNs = timer.nowNs();
    target.stroke(stroke);
    return Number(timer.nowNs() - startNs);
  };
  const calls = Array.from({ length: WARM_UP }, () => timed({ offset: 0, bytes: 0 }));
  const callNs = Math.min(...calls);
  return (stroke) => timed(stroke) - callNs;
}

interface Ink {
  readonly palette: Palette;
  readonly latencies?: Painting['latencies'];
}

/** Undefined when a signal ended it. */
async function inkFor(
  { canvas }: PaintTarget,
  { metric, target: path }: PaintOptions,
  timed: TimedIo,
  timer: PaintTimer,
): Promise<Result<Ink | undefined>> {
  if (metric === 'offset') return ok({ palette: offsetPalette(canvas) });
  if (metric === 'size') return ok({ palette: sizePalette(canvas) });
  for (let attempt = 0; attempt < CALIBRATIONS; attempt++) {
    const costs = await calibrate(sizesToTry(canvas), timed, timer);
    if (costs === undefined) return ok(undefined);
    const sizes = latencySizes(costs, canvas);
    if (sizes === undefined) continue;
    // What lies between the sizes that were tried is only guessed: what was chosen is tried as well.
    const chosen = await calibrate(sizes, timed, timer);
    if (chosen === undefined) return ok(undefined);
    const bands = latencyBands(chosen);
    if (bands === undefined) continue;
    const latencies = { bands, blockBytes: canvas.blockBytes };
    return ok({ palette: latencyPalette(sizes), latencies });
  }
  return err({
    exitCode: ExitCode.failed,
    what: `latency cannot be painted on ${path}`,
    why: 'how long an I/O takes there hardly depends on its size',
    remedy: 'take a disk in memory, or paint offset or size',
  });
}

/** Writes only where nothing is, unless told otherwise. */
function checkFree(
  target: PaintTarget,
  palette: Palette,
  { writes, overwrite, target: path }: PaintOptions,
): Result<undefined> {
  if (!writes || overwrite) return ok(undefined);
  const hit = target.dataUnder(palette.flat());
  if (hit === undefined) return ok(undefined);
  return err({
    exitCode: ExitCode.failed,
    what: `${path} holds data at byte ${hit.offset}`,
    why: 'painting by writing would destroy it',
    remedy: 'paint by reading (--op read), or give --overwrite',
  });
}

function startText({ text, metric, columns, intervalNs, target, writes }: PaintOptions): string {
  const seconds = Math.ceil((columns.length * intervalNs) / 1e9);
  const how = writes ? 'writes to' : 'reads from';
  return (
    `painting "${text}" in ${metric} by ${how} ${sanitizeText(target)}: ${columns.length} columns, ${seconds} s; ` +
    `look at it with: ioheat --metric ${metric === 'latency' ? 'device' : metric}\n`
  );
}

/** Lies on its side: a terminal scrolls down where the picture scrolls left. */
function columnText(column: readonly boolean[]): string {
  return column.map((isPainted) => (isPainted ? '##' : '  ')).join('');
}

function endText(report: PaintReport, options: PaintOptions): string {
  const { columns, strokes, beside, skipped, illegible } = report;
  const stopped = columns < options.columns.length ? ', stopped early' : '';
  const again = beside > 0 ? `, ${beside} of them not as long as asked for` : '';
  const left = skipped > 0 ? `, ${skipped} left out for want of time` : '';
  return `painted ${columns} of ${options.columns.length} columns with ${strokes} ${plural(strokes, 'I/O')}${again}${left}${stopped}\n${advice(illegible)}`;
}

function advice(illegible: number): string {
  if (illegible === 0) return '';
  const blurred = `${illegible} ${plural(illegible, 'column')} can hardly be read`;
  return `${blurred}: the machine was busy, or the disk too slow; paint again, or with a longer --interval\n`;
}
