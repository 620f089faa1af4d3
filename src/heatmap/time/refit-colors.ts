import { colorRange } from '../axis/color-range.ts';
import type { FollowedColors } from '../axis/followed-colors.ts';
import { isSameInterval } from '../axis/scale.ts';
import type { Interval } from '../axis/scale.ts';
import type { Heatmap } from './heatmap.ts';
import { weightExtent } from './totals.ts';

/** A picture that shows the weights of a map in colours. */
interface ColoredMap {
  readonly map: Heatmap;
  readonly colorRange: Interval;
}

/** Lets the colours follow the weights of a map. The map counts as changed if its pixels get other colours by that. */
export function refitColors(
  picture: ColoredMap,
  colors: FollowedColors,
  nowNs: number,
  isWhole: boolean,
): void {
  const { map } = picture;
  const extent = weightExtent(map);
  if (extent === undefined) return;
  const before = picture.colorRange;
  colors.follow(colorRange(map.weight, extent), nowNs, isWhole);
  if (!isSameInterval(before, picture.colorRange)) map.version++;
}
