import type { Heatmap } from '../../heatmap/time/heatmap.ts';
import type { LevelScale } from '../../raster/levels.ts';
import type { FigureLayout } from './figure-layout.ts';
import { binY, columnX } from './figure-layout.ts';

/** One path per level: a tenth of the bytes that a rectangle per cell takes. */
export function drawCells(
  map: Heatmap,
  layout: FigureLayout,
  levels: LevelScale,
  colors: readonly string[],
): string {
  const paths = Array.from({ length: levels.levels + 1 }, (): string[] => []);
  for (let column = 0; column < map.columns; column++) {
    const x = columnX(layout, map, column);
    const width = columnX(layout, map, column + 1) - x;
    addColumn(map, layout, levels, column, (level, y, height) => {
      paths[level]!.push(`M${x} ${y}h${width}v${height}h-${width}z`);
    });
    const above = laneLevel(map, levels, column);
    if (above > 0) paths[above]!.push(laneRect(layout, x, width));
  }
  const filled = paths.map((d, level) =>
    d.length === 0 ? '' : `<path fill="${colors[level - 1]!}" d="${d.join('')}"/>`,
  );
  return `<g shape-rendering="crispEdges">${filled.join('')}</g>`;
}

/** Runs of bins with the same colour are one rectangle. */
function addColumn(
  map: Heatmap,
  layout: FigureLayout,
  levels: LevelScale,
  column: number,
  add: (level: number, y: number, height: number) => void,
): void {
  const first = map.indexOf(column);
  let from = 0;
  let level = 0;
  for (let bin = 0; bin <= map.bins; bin++) {
    const next = bin < map.bins ? levels.levelOf(map.pixels[first + bin]!) : -1;
    if (next === level) continue;
    const y = binY(layout, map, bin);
    if (level > 0) add(level, y, binY(layout, map, from) - y);
    from = bin;
    level = next;
  }
}

/** An I/O without weight is cut off like any other, so its mark is there too. */
function laneLevel(map: Heatmap, levels: LevelScale, column: number): number {
  if (map.aboveCount(column) === 0) return 0;
  return Math.max(1, levels.levelOf(map.pixels[map.indexOf(column) + map.bins]!));
}

function laneRect({ lane }: FigureLayout, x: number, width: number): string {
  return `M${x} ${lane.y}h${width}v${lane.height}h-${width}z`;
}
