/** Number of I/Os by subject. */
type Counts = ArrayLike<number>;

/** A subject keeps its place until one without a place has more than this many times its I/Os. */
const TIMES_AS_MANY = 2;

/**
 * The `most` subjects with the most I/O that are not in `places`, in the order of their number of I/Os; of equals, the
 * first.
 */
export function topSubjects(counts: Counts, most: number, places: readonly number[]): number[] {
  const top: number[] = [];
  let least = 0;
  for (let subject = 0; subject < counts.length; subject++) {
    const count = counts[subject]!;
    if (count <= least || places.includes(subject)) continue;
    const at = top.findIndex((other) => counts[other]! < count);
    top.splice(at < 0 ? top.length : at, 0, subject);
    if (top.length > most) top.pop();
    if (top.length === most) least = counts[top.at(-1)!]!;
  }
  return top;
}

/** Gives free places to the subjects with the most I/O. */
export function fillPlaces(
  places: readonly number[],
  counts: Counts,
  most: number,
): readonly number[] {
  const free = most - places.length;
  return free <= 0 ? places : [...places, ...topSubjects(counts, free, places)];
}

/** Also takes places from subjects that have no I/O any more, or much less than one without a place. */
export function placeSubjects(
  places: readonly number[],
  counts: Counts,
  most: number,
): readonly number[] {
  const next = [
    ...fillPlaces(places.filter((subject) => counts[subject]! > 0).slice(0, most), counts, most),
  ];
  for (const subject of topSubjects(counts, most, next)) {
    const weakest = next.reduce((a, b) => (counts[b]! < counts[a]! ? b : a));
    if (counts[subject]! <= TIMES_AS_MANY * counts[weakest]!) break;
    next[next.indexOf(weakest)] = subject;
  }
  return next;
}
