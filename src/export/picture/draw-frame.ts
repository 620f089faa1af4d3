import { formatValue, distinctLabels } from '../../raster/distinct-labels.ts';
import { mapTitle, timeAxisTitle } from './figure-texts.ts';
import { isWholeDisk } from '../../raster/draw-axes.ts';
import type { Figure } from './figure.ts';
import type { FigureLayout } from './figure-layout.ts';
import { timeX, valueY } from './figure-layout.ts';
import { LocalTime } from './local-time.ts';
import { INK, QUIET, RULE, svgLine, svgRect, svgText } from './svg-text.ts';
import { textWidth } from './text-width.ts';
import { timeTicks } from './time-ticks.ts';

const SIZE = 12;
const PIXELS_PER_VALUE = 40;
const PIXELS_PER_TIME = 96;
/** Letters of a label left of the axis. */
const LABEL_LETTERS = 8;

/** White paper under the cells, with lines at labels. */
export function drawGround(figure: Figure, layout: FigureLayout): string {
  const { plot, outlierRow } = layout;
  const lines = valueTicks(figure, layout).map(({ y }) =>
    svgLine(plot.x, y, plot.x + plot.width, y, '#eceff3'),
  );
  const rects = hasOutlierRow(figure) ? [outlierRow, plot] : [plot];
  const papers = rects.map(({ x, y, width, height }) =>
    svgRect(x - 0.5, y - 0.5, width + 1, height + 1, '#fff', ` stroke="${RULE}"`),
  );
  return papers.join('') + lines.join('');
}

/** Utilization cannot exceed 100 %. */
export function hasOutlierRow({ live, totals }: Figure): boolean {
  if (isWholeDisk(live.map) && totals.above === 0) return false;
  return live.map.metric !== 'utilization' || live.map.scale.domain.high < 1;
}

interface ValueTick {
  readonly y: number;
  readonly text: string;
}

function valueTicks({ live: { map } }: Figure, layout: FigureLayout): ValueTick[] {
  const ticks = map.scale.ticks(layout.plot.height / PIXELS_PER_VALUE);
  const texts = distinctLabels(map.axisValues, ticks, LABEL_LETTERS);
  return ticks.map((value, i) => ({ y: valueY(layout, map, value), text: texts[i]! }));
}

export function drawValueAxis(figure: Figure, layout: FigureLayout): string {
  const { plot, outlierRow } = layout;
  const parts = valueTicks(figure, layout).flatMap(({ y, text }) => [
    svgLine(plot.x - 5, y, plot.x, y, QUIET),
    svgText(plot.x - 9, y + 4, text, { size: SIZE, anchor: 'end' }),
  ]);
  if (hasOutlierRow(figure)) {
    const { axisValues, scale } = figure.live.map;
    const above = `>${formatValue(axisValues, scale.domain.high)}`;
    // The highest label of the axis is too close to the end of the axis.
    const y = outlierRow.y + 9;
    parts.push(svgText(plot.x - 9, y, above, { size: 11, anchor: 'end', fill: QUIET }));
  }
  const middle = plot.y + plot.height / 2;
  const title = svgText(0, 0, mapTitle(figure), { size: SIZE, anchor: 'middle', fill: QUIET });
  parts.push(`<g transform="translate(${layout.left} ${middle}) rotate(-90)">${title}</g>`);
  return parts.join('');
}

/** Also returns the bottom edge of what it draws. */
export function drawTimeAxis(figure: Figure, layout: FigureLayout): { svg: string; y: number } {
  const { plot } = layout;
  const { map } = figure.live;
  const time = new LocalTime(figure.facts.clockBase, figure.facts.hasWallClock);
  const bottom = plot.y + plot.height;
  const parts: string[] = [];
  for (const { traceNs, text } of timeTicks(map, time, plot.width / PIXELS_PER_TIME)) {
    const x = timeX(layout, map, traceNs);
    parts.push(svgLine(x, bottom, x, bottom + 5, QUIET));
    const half = textWidth(text, SIZE) / 2;
    const inside = Math.min(layout.width - half - 4, x);
    parts.push(svgText(inside, bottom + 19, text, { size: SIZE, anchor: 'middle', fill: INK }));
  }
  const title = timeAxisTitle(figure);
  const x = plot.x + plot.width / 2;
  parts.push(svgText(x, bottom + 38, title, { size: SIZE, anchor: 'middle', fill: QUIET }));
  return { svg: parts.join(''), y: bottom + 38 };
}

const LEAST_GAP = 15;

/** Right of the plot: the percentiles, moved apart if they would overlap. */
export function drawPercentiles(figure: Figure, layout: FigureLayout): string {
  const { plot, outlierRow } = layout;
  const { map } = figure.live;
  const x = plot.x + plot.width;
  const isAbove = (value: number): boolean => value >= map.scale.domain.high;
  const marks = figure.percentiles
    .map(({ name, value }) => ({
      text: `${name} ${formatValue(map.axisValues, value)}`,
      y: isAbove(value) ? outlierRow.y + outlierRow.height / 2 : valueY(layout, map, value),
    }))
    .sort((a, b) => b.y - a.y);
  const places = apart(
    marks.map(({ y }) => y),
    outlierRow.y,
    plot.y + plot.height,
  );
  return marks
    .map(({ text, y }, i) => {
      const at = places[i]!;
      const bend = `<path d="M${x + 2} ${y.toFixed(1)}h5L${x + 13} ${at.toFixed(1)}h3" stroke="${QUIET}" fill="none"/>`;
      return bend + svgText(x + 19, at + 4, text, { size: 11, fill: INK });
    })
    .join('');
}

/** Moves positions at least a line apart, bottom to top, all inside the picture. */
function apart(ys: readonly number[], top: number, bottom: number): number[] {
  const places: number[] = [];
  for (const y of ys) places.push(Math.min(bottom, y, (places.at(-1) ?? Infinity) - LEAST_GAP));
  let least = top;
  for (let i = places.length - 1; i >= 0; i--) {
    places[i] = Math.max(least, places[i]!);
    least = places[i]! + LEAST_GAP;
  }
  return places;
}
