import { FIRST_FILE, MERGED_FILES } from '../../../model/file.ts';
import { IdentityMark } from '../../../model/identity.ts';
import type { InFlightSpan } from '../../../model/in-flight.ts';
import { MAX_FILES, MAX_NAME, MAX_OF_KERNEL, MAX_TIME_NS } from './format.ts';
import { asArray, asInteger, asText, optional } from './json-values.ts';
import { asLayer, keyJson, parseKey } from './key-json.ts';

/** An I/O that was in flight for long, in the notes of a batch. */
export function inFlightJson(span: InFlightSpan): unknown {
  const { number, identity, issueNs, untilNs, bytes, sector, file, fileOffset } = span;
  const { via, marks } = identity;
  return [
    number,
    Math.floor(span.sinceNs),
    issueNs === undefined ? null : Math.floor(issueNs),
    untilNs === Infinity ? null : Math.floor(untilNs),
    keyJson(identity),
    via?.slice(0, MAX_NAME) ?? null,
    (marks & IdentityMark.severalWriters) === 0 ? 0 : 1,
    ...[bytes, sector, file, fileOffset].map((value) => value ?? null),
    ...(identity.layer === undefined ? [] : [identity.layer]),
  ];
}

/** Reverses `inFlightJson`, also of versions without a layer; throws a `DamagedError` for anything else. */
export function parseInFlight(value: unknown): InFlightSpan {
  const [number, since, issue, until, key, via, isShared, ...rest] = asArray(value, 12);
  const [bytes, sector, file, fileOffset, layer] = rest;
  const identity = parseKey(key);
  const several = asInteger(isShared, 0, 1) * IdentityMark.severalWriters;
  return {
    number: asInteger(number, 0, Number.MAX_SAFE_INTEGER),
    sinceNs: asTime(since),
    issueNs: optional(issue, asTime),
    untilNs: optional(until, asTime) ?? Infinity,
    identity: {
      ...identity,
      marks: identity.marks | several,
      via: optional(via, (text) => asText(text, MAX_NAME)),
      layer: optional(layer, asLayer),
    },
    bytes: optional(bytes, (one) => asInteger(one, 0, 2 ** 32 - 1)),
    sector: optional(sector, (one) => asInteger(one, 0, MAX_OF_KERNEL)),
    file: optional(file, (one) => asInteger(one, 0, MERGED_FILES + FIRST_FILE + MAX_FILES)),
    fileOffset: optional(fileOffset, (one) => asInteger(one, 0, MAX_OF_KERNEL)),
  };
}

function asTime(value: unknown): number {
  return asInteger(value, -MAX_TIME_NS, MAX_TIME_NS);
}
