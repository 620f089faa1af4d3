import { plural } from '../../base/format.ts';
import type { Result } from '../../base/result.ts';
import { ExitCode, err, ok } from '../../base/result.ts';
import { calibrate } from '../../paint/calibrate.ts';
import { columnStrokes, latencyPalette, offsetPalette, sizePalette } from '../../paint/plan.ts';
import type { Palette } from '../../paint/plan.ts';
import { paint } from '../../paint/painter.ts';
import type { PaintReport } from '../../paint/painter.ts';
import { openTarget } from '../../paint/target.ts';
import type { PaintTarget } from '../../paint/target.ts';
import { tell } from '../print.ts';
import type { PaintOptions } from './paint-options.ts';
import { PaintTimer } from './paint-timer.ts';

/** A busy moment makes small I/Os slow, and large ones hardly slower. */
const CALIBRATIONS = 10;

/** Does I/O until the text is painted, or a signal ends it. */
export async function runPaint(options: PaintOptions): Promise<Result<ExitCode>> {
  const { target: path, writes, newBytes } = options;
  const opened = openTarget({ path, writes, newBytes });
  if (!opened.ok) return opened;
  const target = opened.value;
  try {
    return await paintOn(target, options);
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause)) throw cause;
    return err({ exitCode: ExitCode.failed, what: `I/O to ${path} failed`, why: cause.message });
  } finally {
    target.dispose();
  }
}

async function paintOn(target: PaintTarget, options: PaintOptions): Promise<Result<ExitCode>> {
  const palette = paletteFor(target, options);
  if (!palette.ok) return palette;
  const safe = checkFree(target, palette.value, options);
  if (!safe.ok) return safe;
  const { columns, intervalNs } = options;
  tell(startText(options));
  const timer = new PaintTimer();
  const report = await paint(
    { columns, palette: palette.value, intervalNs },
    (stroke) => {
      target.stroke(stroke);
    },
    timer,
    (column) => {
      tell(`${columnText(columns[column] ?? [])}\n`);
    },
  );
  timer.dispose();
  tell(endText(report, options));
  return ok(ExitCode.fine);
}

function paletteFor(target: PaintTarget, { metric, target: path }: PaintOptions): Result<Palette> {
  if (metric === 'offset') return ok(offsetPalette(target.canvas));
  if (metric === 'size') return ok(sizePalette(target.canvas));
  for (let attempt = 0; attempt < CALIBRATIONS; attempt++) {
    const costs = calibrate(target, () => process.hrtime.bigint());
    const palette = latencyPalette(costs, target.canvas);
    if (palette !== undefined) return ok(palette);
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
  { columns, writes, overwrite, target: path }: PaintOptions,
): Result<undefined> {
  if (!writes || overwrite) return ok(undefined);
  const everywhere = columnStrokes(columns[0]?.map(() => true) ?? [], palette);
  const hit = target.dataUnder(everywhere);
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
    `painting "${text}" in ${metric} by ${how} ${target}: ${columns.length} columns, ${seconds} s; ` +
    `look at it with: ioheat --metric ${metric === 'latency' ? 'device' : metric}\n`
  );
}

/** Lies on its side: a terminal scrolls down where the picture scrolls left. */
function columnText(column: readonly boolean[]): string {
  return column.map((isPainted) => (isPainted ? '##' : '  ')).join('');
}

function endText({ columns, strokes, skipped }: PaintReport, options: PaintOptions): string {
  const stopped = columns < options.columns.length ? ', stopped early' : '';
  const left = skipped > 0 ? `, ${skipped} left out for want of time` : '';
  return `painted ${columns} of ${options.columns.length} columns with ${strokes} ${plural(strokes, 'I/O')}${left}${stopped}\n`;
}
