import { formatCount } from '../base/format.ts';
import type { LevelScale } from './levels.ts';

/** A stretch of the legend: text, or the swatch of a level. */
export type LegendPart = { readonly text: string } | { readonly level: number };

/** The legend from the fullest wording to the shortest. Counts are the least of their level. */
export function legendsOf(scale: LevelScale, unit: string): LegendPart[][] {
  const levels: { level: number; least: number }[] = [];
  for (let level = 1; level <= scale.levels; level++) {
    const counts = scale.countsOf(level);
    if (counts !== undefined) levels.push({ level, least: counts.least });
  }
  const each = levels.flatMap(({ level, least }) => [
    { level },
    { text: `${formatCount(least)} ` },
  ]);
  const ramp = levels.map(({ level }) => ({ level }));
  const ends = [
    { text: `${formatCount(levels[0]!.least)} ` },
    ...ramp,
    { text: ` ${formatCount(levels.at(-1)!.least)}+` },
  ];
  return [
    [...each, { text: `${unit} per pixel` }],
    [...ends, { text: ` ${unit} per pixel` }],
    [...ends, { text: '/pixel' }],
    ends,
  ];
}

export function legendWidth(parts: readonly LegendPart[]): number {
  return parts.reduce((width, part) => width + ('text' in part ? part.text.length : 1), 0);
}
