import { OTHER_FILES } from '../../model/file-table.ts';

/** A file that has a place keeps it until one without a place has more than this many times its I/Os. */
const TIMES_AS_MANY = 2;

/** The `most` files with the most I/O that are not in `places`, by number of I/Os; of equals the first. */
export function topFiles(
  counts: ArrayLike<number>,
  most: number,
  places: readonly number[],
): number[] {
  const top: number[] = [];
  let least = 0;
  for (let file = 0; file < counts.length; file++) {
    const count = counts[file]!;
    if (count <= least || file === OTHER_FILES || places.includes(file)) continue;
    const at = top.findIndex((other) => counts[other]! < count);
    top.splice(at < 0 ? top.length : at, 0, file);
    if (top.length > most) top.pop();
    if (top.length === most) least = counts[top.at(-1)!]!;
  }
  return top;
}

/** Gives free places to the files with the most I/O. */
export function fillPlaces(
  places: readonly number[],
  counts: ArrayLike<number>,
  most: number,
): readonly number[] {
  const free = most - places.length;
  return free <= 0 ? places : [...places, ...topFiles(counts, free, places)];
}

/** Also takes places from files that have no I/O any more, or much less than one without a place. */
export function placeFiles(
  places: readonly number[],
  counts: ArrayLike<number>,
  most: number,
): readonly number[] {
  const next = [
    ...fillPlaces(places.filter((file) => counts[file]! > 0).slice(0, most), counts, most),
  ];
  for (const file of topFiles(counts, most, next)) {
    const weakest = next.reduce((a, b) => (counts[b]! < counts[a]! ? b : a));
    if (counts[file]! <= TIMES_AS_MANY * counts[weakest]!) break;
    next[next.indexOf(weakest)] = file;
  }
  return next;
}
