/** Converts byte offsets of fields to indices of a `Uint32Array`: the word that contains the field's first byte. */
export function inWords<Field extends string>(
  offsets: Readonly<Record<Field, number>>,
): Readonly<Record<Field, number>> {
  const words = Object.entries<number>(offsets).map(([field, bytes]) => [field, bytes >>> 2]);
  return Object.fromEntries(words) as Record<Field, number>;
}
