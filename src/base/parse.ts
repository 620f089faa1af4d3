import type { Result } from './result.ts';
import { err, ok } from './result.ts';

const DURATION_NS: Record<string, number> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};

/** `100ms`, `1.5s`, `1m` → whole ns. The unit is required, because a bare number is ambiguous. */
export function parseDuration(text: string): Result<number, string> {
  const match = /^(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)$/.exec(text.trim());
  if (match === null) return err(`"${text}" is not a duration such as 100ms, 1s or 1m`);
  return ok(Math.round(Number(match[1]) * DURATION_NS[match[2]!]!));
}

const BINARY_UNITS: Record<string, number> = {
  '': 1,
  k: 2 ** 10,
  m: 2 ** 20,
  g: 2 ** 30,
  t: 2 ** 40,
};

/** `4096`, `64k`, `256M`, `1GiB` → bytes; units are powers of 1,024, as usual in block I/O. */
export function parseBytes(text: string): Result<number, string> {
  const match = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?$/i.exec(text.trim());
  if (match === null) return err(`"${text}" is not a size such as 4096, 64k or 256M`);
  return ok(Math.round(Number(match[1]) * BINARY_UNITS[match[2]!.toLowerCase()]!));
}
