import { formatBytes, formatCount, formatDuration } from '../base/format.ts';
import type { Weight } from '../model/metric.ts';
import type { LevelScale } from './levels.ts';

/** A stretch of the legend: text, or the swatch of a level. */
export type LegendPart = { readonly text: string } | { readonly level: number };

/** What pixels are measured in. */
export interface LegendUnit {
  readonly name: string;
  readonly format: (weight: number) => string;
  /** Whether the first level also stands for less than its least. */
  readonly isOpen: boolean;
  /** What there is one of for each swatch on the screen; a pixel unless told. */
  readonly each?: string;
}

export const UNITS: Readonly<Record<Weight, LegendUnit>> = {
  count: { name: 'I/Os', format: formatCount, isOpen: false },
  time: { name: 'waited', format: formatDuration, isOpen: true },
  bytes: { name: 'moved', format: formatBytes, isOpen: true },
};
export const DISKS: LegendUnit = { name: 'disks', format: formatCount, isOpen: false };

/** The legend from the fullest wording to the shortest. Each level stands for its least and more. */
export function legendsOf(scale: LevelScale, unit: LegendUnit): LegendPart[][] {
  const levels = levelsOf(scale, unit);
  const each = levels.flatMap(({ level, text }) => [{ level }, { text: `${text} ` }]);
  const ramp = levels.map(({ level }) => ({ level }));
  const { name, each: of = 'pixel' } = unit;
  const ends = [{ text: `${levels[0]!.text} ` }, ...ramp, { text: ` ${levels.at(-1)!.text}+` }];
  return [
    [...each, { text: `${name} per ${of}` }],
    [...ends, { text: ` ${name} per ${of}` }],
    [...ends, { text: `/${of}` }],
    ends,
  ];
}

function levelsOf(scale: LevelScale, { format, isOpen }: LegendUnit): LabelledLevel[] {
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
