import { isSystemError, reasonOf } from '../../base/system-error.ts';
import { signalExitCode } from '../../base/end-signals.ts';
import { plural } from '../../base/format.ts';
import type { Result } from '../../base/result.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import { ExitCode, err, ok } from '../../base/result.ts';
import { keepAwake } from '../../paint/keep-cpus-awake.ts';
import { calibrate, sizesToTry, type TimedIo } from '../../paint/calibrate.ts';
import {
  latencyBands,
  latencyPalette,
  latencySizes,
  offsetPalette,
  sizePalette,
} from '../../paint/plan.ts';
import type { Canvas, Palette, Stroke } from '../../paint/plan.ts';
import { paint } from '../../paint/painter.ts';
import type { Painting, PaintReport } from '../../paint/painter.ts';
import { openTarget } from '../../paint/target.ts';
import type { PaintTarget } from '../../paint/target.ts';
import { confineFor } from '../privilege/confine-for.ts';
import type { Pass } from '../privilege/privilege-gate.ts';
import { tell } from '../process/print.ts';
import { intervalText } from '../../view/describe.ts';
import type { PaintMetric, PaintOptions } from '../options/paint-options.ts';
import { holdAndDrop } from './paint-privilege.ts';
import { PaintTimer } from './paint-timer.ts';

/** Tries per size: a busy moment slows small I/Os down, and large ones hardly. */
const CALIBRATIONS = 10;

/** Does I/O until the text is painted, or a signal ends it. */
export async function runPaint(options: PaintOptions, pass: Pass): Promise<Result<number>> {
  const { target: path, writes, newBytes } = options;
  const held = holdAndDrop(options, pass);
  if (!held.ok) return held;
  if (pass.kind === 'descriptor') await confineFor({ kind: 'unprivileged', handover: undefined });
  const opened = openTarget({ path, writes, newBytes, held: held.value.disk });
  if (!opened.ok) return opened;
  const target = opened.value;
  try {
    return await paintOn(target, options, held.value.awakeFd);
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    return err({ exitCode: ExitCode.failed, what: `I/O to ${path} failed`, why: reasonOf(cause) });
  } finally {
    target.dispose();
  }
}

async function paintOn(
  target: PaintTarget,
  options: PaintOptions,
  awakeFd: number | undefined,
): Promise<Result<number>> {
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
): Promise<Result<number>> {
  const safe = checkFree(target, options);
  if (!safe.ok) return safe;
  const timed = timedIo(target, timer);
  const ink = await inkFor(target, options, (bytes) => timed({ offset: 0, bytes }), timer);
  if (!ink.ok) return ink;
  if (ink.value === undefined) return ok(exitCodeOf(timer));
  const { columns, intervalNs } = options;
  tell(startText(options));
  const report = await paint({ columns, ...ink.value, intervalNs }, timed, timer, (column) => {
    tell(`${columnText(columns[column] ?? [])}\n`);
  });
  tell(endText(report, options));
  return ok(exitCodeOf(timer));
}

function exitCodeOf({ signal }: PaintTimer): number {
  return signal === undefined ? ExitCode.fine : signalExitCode(signal);
}

const WARM_UP = 64;

/** Does I/O and returns its time less that of the quickest call without I/O. */
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

/** Chooses the palette; undefined if a signal ended the calibration. */
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
    // Between the tried sizes the time is interpolated, so the chosen ones are tried as well.
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
    why: 'latency hardly depends on the size of an I/O there',
    remedy: 'use a disk in memory, or paint offset or size',
  });
}

/** Refuses to write over data, unless `--overwrite` is given. Before any I/O, because calibration writes, too. */
function checkFree(
  target: PaintTarget,
  { metric, writes, overwrite, target: path }: PaintOptions,
): Result<undefined> {
  if (!writes || overwrite) return ok(undefined);
  const hit = target.dataUnder(placesOf(metric, target.canvas));
  if (hit === undefined) return ok(undefined);
  return err({
    exitCode: ExitCode.failed,
    what: `${path} holds data at byte ${hit.offset}`,
    why: 'painting with writes would destroy it',
    remedy: 'paint with reads (--op read), or add --overwrite',
  });
}

/** All places that a painting may write to. */
function placesOf(metric: PaintMetric, canvas: Canvas): readonly Stroke[] {
  if (metric === 'offset') return offsetPalette(canvas).flat();
  if (metric === 'size') return sizePalette(canvas).flat();
  // No size that is chosen later exceeds the largest of those that are tried.
  return sizesToTry(canvas).map((bytes) => ({ offset: 0, bytes }));
}

function startText({ text, metric, columns, intervalNs, target, writes }: PaintOptions): string {
  const seconds = Math.ceil((columns.length * intervalNs) / 1e9);
  const how = writes ? 'writes to' : 'reads from';
  return (
    `painting "${text}" in ${metric} with ${how} ${sanitizeText(target)}: ${columns.length} columns, ${seconds} s; ` +
    `watch it with: ioheat --metric ${metric === 'latency' ? 'device' : metric} --interval ${intervalText(intervalNs)}\n`
  );
}

/** The preview lies on its side: a terminal scrolls down, the picture left. */
function columnText(column: readonly boolean[]): string {
  return column.map((isPainted) => (isPainted ? '##' : '  ')).join('');
}

function endText(report: PaintReport, options: PaintOptions): string {
  const { columns, strokes, missed, skipped, illegible } = report;
  const stopped = columns < options.columns.length ? ', stopped early' : '';
  const again = missed > 0 ? `, ${missed} with the wrong latency` : '';
  const left = skipped > 0 ? `, ${skipped} left out for lack of time` : '';
  return `painted ${columns} of ${options.columns.length} columns with ${strokes} ${plural(strokes, 'I/O')}${again}${left}${stopped}\n${advice(illegible)}`;
}

function advice(illegible: number): string {
  if (illegible === 0) return '';
  const blurred = `${illegible} ${plural(illegible, 'column')} hardly readable`;
  return `${blurred}: the machine was busy, or the disk too slow; paint again, or use a longer --interval\n`;
}
