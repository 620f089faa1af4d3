import { formatByteSum, formatDuration } from '../../base/format.ts';
import type { Heatmap } from '../../heatmap/time/heatmap.ts';
import { nounOf } from '../../model/layer.ts';
import type { Weight } from '../../model/metric.ts';
import { formatValue } from '../../raster/distinct-labels.ts';
import type { Figure } from './figure.ts';
import { columnX, binY } from './figure-layout.ts';
import type { FigureLayout } from './figure-layout.ts';
import { titleOf } from './figure-texts.ts';
import { hasOutlierRow } from './draw-frame.ts';
import { HOVER_SCRIPT } from './hover-script.ts';
import { LocalTime } from './local-time.ts';
import { drawSvg } from './svg.ts';
import { escapeXml } from './svg-text.ts';

/** Forbids all requests, so that nobody who opens the file needs to fear that it reports to anyone. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/** Browsers that darken pages would darken the colours of cells, and so change what they mean. */
const COLOR_SCHEME = ':root{color-scheme:only light}';

const STYLE = `${COLOR_SCHEME}
body{margin:0;background:#fff;font-family:'DejaVu Sans',Verdana,Arial,sans-serif}
figure{margin:0 auto;position:relative;width:max-content}
svg{display:block;cursor:crosshair}
#hover{position:absolute;display:none;pointer-events:none;background:#1c1f24;color:#fff;
font-size:13px;line-height:1.5;padding:6px 10px;border-radius:4px;white-space:pre;z-index:1}
#frame{fill:none;stroke:#000;stroke-width:1.5;display:none;pointer-events:none}`;

/** One file that shows the picture, and the figures of the cell under the mouse. */
export function drawHtml(figure: Figure): string {
  const { svg, layouts } = drawSvg(figure);
  // HTML does not need the namespace; without any URL in the file it is easy to see that it requests nothing.
  const inline = svg
    .replace(' xmlns="http://www.w3.org/2000/svg"', '')
    .replace('</svg>', '<rect id="frame"/></svg>');
  // A "<" could end the element, in whatever text it occurs.
  const data = JSON.stringify(hoverData(figure, layouts)).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeXml(titleOf(figure))}</title>
<style>${STYLE}</style>
</head>
<body>
<figure>
${inline}<div id="hover"></div>
</figure>
<script type="application/json" id="cells">${data}</script>
<script>${HOVER_SCRIPT}</script>
</body>
</html>
`;
}

/** The data for the script: positions in pixels of the SVG, texts ready to show. */
export interface HoverData {
  /** Left edges of the columns, then the right edge of the last. */
  readonly x: readonly number[];
  readonly times: readonly string[];
  /** From top to bottom. */
  readonly maps: readonly HoverMap[];
}

/** One of the heat maps. */
export interface HoverMap {
  /** Empty if it is the only one. */
  readonly title: string;
  /** Singular and plural. */
  readonly units: readonly [one: string, many: string];
  /** The bottom of the lowest bin, then the upper edges of the bins, bottom to top. */
  readonly y: readonly number[];
  readonly outlierRow: { readonly y: number; readonly height: number } | null;
  readonly values: readonly string[];
  /**
   * By column, the non-empty cells: bin, count and, for weighted cells, the weight as text. The outlier row is bin
   * `bins`.
   */
  readonly cells: readonly (readonly (readonly [bin: number, count: number, weight?: string])[])[];
}

function hoverData(figure: Figure, layouts: readonly FigureLayout[]): HoverData {
  const { map } = figure.live;
  const columns = columnsOf(map);
  return {
    x: [...columns, map.columns].map((column) => columnX(layouts[0]!, map, column)),
    times: columns.map((column) => timeText(figure, column)),
    maps: figure.maps.map((one, i) => hoverMap({ ...figure, ...one }, layouts[i]!)),
  };
}

function unitsOf({ layer, live }: Figure): HoverMap['units'] {
  const one = live.map.metric === 'utilization' ? 'disk' : nounOf(layer);
  return [one, `${one}s`];
}

function columnsOf({ columns }: Heatmap): number[] {
  return Array.from({ length: columns }, (_, column) => column);
}

function hoverMap(figure: Figure, layout: FigureLayout): HoverMap {
  const { map } = figure.live;
  const edges = Array.from({ length: map.bins + 1 }, (_, bin) => bin);
  return {
    title: figure.title,
    units: unitsOf(figure),
    y: edges.map((bin) => binY(layout, map, bin)),
    outlierRow: hasOutlierRow(figure)
      ? { y: layout.outlierRow.y, height: layout.outlierRow.height }
      : null,
    values: [...edges.slice(1).map((end) => valueText(map, end - 1)), aboveText(map)],
    cells: columnsOf(map).map((column) => cellsOf(map, column)),
  };
}

function timeText({ live: { map }, facts }: Figure, column: number): string {
  const time = new LocalTime(facts.clockBase, facts.hasWallClock);
  const startNs = map.startNs + column * map.columnNs;
  const decimals = map.columnNs % 1e9 === 0 ? 0 : 3;
  const date = facts.hasWallClock ? `${time.date(startNs)} ` : '';
  const end = time.clock(startNs + map.columnNs, decimals);
  return `${date}${time.clock(startNs, decimals)} to ${end}`;
}

function valueText(map: Heatmap, bin: number): string {
  const { low, high } = map.scale.invertExtent(bin);
  const { axisValues } = map;
  const [from, to] = [formatValue(axisValues, low), formatValue(axisValues, high)];
  const values = from === to ? `about ${from}` : `${from} to ${to}`;
  return axisValues === 'diskShare' ? `${values} of its disk` : values;
}

function aboveText(map: Heatmap): string {
  return `${formatValue(map.axisValues, map.scale.domain.high)} or more`;
}

function cellsOf(map: Heatmap, column: number): [number, number, string?][] {
  const first = map.indexOf(column);
  const cells: [number, number, string?][] = [];
  for (let bin = 0; bin <= map.bins; bin++) {
    const count = bin < map.bins ? map.count(column, bin) : map.aboveCount(column);
    if (count === 0) continue;
    const weight = weightText(map.weight, map.pixels[first + bin]!);
    cells.push(weight === undefined ? [bin, count] : [bin, count, weight]);
  }
  return cells;
}

function weightText(weight: Weight, value: number): string | undefined {
  if (weight === 'count') return undefined;
  return weight === 'time' ? `${formatDuration(value)} waited` : `${formatByteSum(value)} moved`;
}
