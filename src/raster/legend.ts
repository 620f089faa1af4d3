import { formatByteSum, formatCount, formatDuration } from '../base/format.ts';
import { DEFAULT_LAYER, nounsOf } from '../model/layer.ts';
import type { Layer } from '../model/layer.ts';
import type { Metric, Weight } from '../model/metric.ts';
import type { ColorScale } from './color-scale.ts';

/** A part of the legend: text, or the swatch of a level. */
export type LegendPart = { readonly text: string } | { readonly level: number };

/** The unit of the weight of pixels. */
export interface LegendUnit {
  readonly name: string;
  readonly format: (weight: number) => string;
  /** Whether level 1 also stands for less than its least weight. */
  readonly isOpen: boolean;
  /** What one swatch on the screen stands for; by default a pixel. */
  readonly each?: string;
}

const UNITS: Readonly<Record<Exclude<Weight, 'count'>, LegendUnit>> = {
  time: { name: 'waited', format: formatDuration, isOpen: true },
  bytes: { name: 'moved', format: formatByteSum, isOpen: true },
};

export const DISKS: LegendUnit = { name: 'disks', format: formatCount, isOpen: false };

/** The unit of pixels that count I/O of these layers. */
export function unitOf(
  { metric, weight }: { readonly metric: Metric; readonly weight: Weight },
  layers: readonly Layer[] = [DEFAULT_LAYER],
): LegendUnit {
  if (metric === 'utilization') return DISKS;
  if (weight !== 'count') return UNITS[weight];
  return { name: nounsOf(layers), format: formatCount, isOpen: false };
}

/** The legend from the longest wording to the shortest. Each level stands for its least weight and more. */
export function legendsOf(scale: ColorScale, unit: LegendUnit): LegendPart[][] {
  const levels = labelledLevels(scale, unit);
  const each = levels.flatMap(({ level, text }) => [{ level }, { text: `${text} ` }]);
  const ramp = levels.map(({ level }) => ({ level }));
  const { name, each: of = 'pixel' } = unit;
  const ends = [{ text: `${levels[0]!.text} ` }, ...ramp, { text: ` ${levels.at(-1)!.text}+` }];
  const groups = GROUP_SIZES.filter((size) => levels.length > 2 * size);
  return [
    [...each, { text: `${name} per ${of}` }],
    ...groups.map((size) => [...grouped(levels, size), { text: ` ${name} per ${of}` }]),
    [...ends, { text: ` ${name} per ${of}` }],
    [...ends, { text: `/${of}` }],
    ends,
    ends.filter((part, i) => 'text' in part || i % 2 === 1 || i === levels.length),
  ];
}

/** Swatches per number; with fewer than three numbers, the ends alone are as clear. */
const GROUP_SIZES = [2, 3, 4, 6, 8];

/** `1### 10### 100###`: each number is the least count of the first swatch after it. */
function grouped(levels: readonly LabelledLevel[], size: number): LegendPart[] {
  return levels.flatMap(({ level, text }, i) => {
    if (i % size > 0) return [{ level }];
    return [{ text: i === 0 ? text : ` ${text}` }, { level }];
  });
}

function labelledLevels(scale: ColorScale, { format, isOpen }: LegendUnit): LabelledLevel[] {
  const levels: LabelledLevel[] = [];
  for (let level = 1; level <= scale.levels; level++) {
    const counts = scale.countsOf(level);
    if (counts === undefined) continue;
    const isFirst = levels.length === 0;
    const text = isOpen && isFirst ? `<${format(counts.most + 1)}` : format(counts.least);
    levels.push({ level, text });
  }
  return levels;
}

interface LabelledLevel {
  readonly level: number;
  readonly text: string;
}

export function legendWidth(parts: readonly LegendPart[]): number {
  return parts.reduce((width, part) => width + ('text' in part ? part.text.length : 1), 0);
}
