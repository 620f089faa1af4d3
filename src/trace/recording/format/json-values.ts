import { DamagedError } from '../arrow/flat-reader.ts';

/*
 * Accessors for untrusted JSON: each throws a `DamagedError` for a value of another type, or above its limit, which
 * counts entries of a list and UTF-16 units of a text.
 */

/** Throws a `DamagedError` for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new DamagedError(cause instanceof Error ? cause.message : String(cause));
  }
}

export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new DamagedError('not an object');
  return value as Record<string, unknown>;
}

export function asArray(value: unknown, most: number): readonly unknown[] {
  if (!Array.isArray(value)) throw new DamagedError('not a list');
  if (value.length > most) throw new DamagedError(`a list of ${value.length}`);
  return value as unknown[];
}

export function asText(value: unknown, most: number): string {
  if (typeof value !== 'string') throw new DamagedError('not a text');
  if (value.length > most) throw new DamagedError(`a text of ${value.length} characters`);
  return value;
}

/** Rejects booleans and numeric strings; both limits are inclusive. */
export function asInteger(value: unknown, least: number, most: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
    throw new DamagedError('not a possible number');
  return value;
}

/** Undefined for a value that is absent or null, otherwise what `parse` returns or throws. */
export function optional<T>(value: unknown, parse: (value: unknown) => T): T | undefined {
  return value === undefined || value === null ? undefined : parse(value);
}
