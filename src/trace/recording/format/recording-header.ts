import { crc32 } from 'node:zlib';
import type { ClockBase } from '../../../base/time.ts';
import type { DeviceInfo } from '../../../model/device.ts';
import { TRACE_FIELDS } from '../../trace-reader.ts';
import type { TraceField } from '../../trace-reader.ts';
import type { KeyValues } from '../arrow/arrow-schema.ts';
import { DamagedError } from '../arrow/flat-reader.ts';
import {
  FORMAT_VERSION,
  MAX_DEV,
  MAX_DEVICES,
  MAX_MOUNTS,
  MAX_NAME,
  MAX_OF_KERNEL,
  MAX_PATH,
  Meta,
} from './format.ts';
import { asArray, asInteger, asRecord, asText, optional } from './json-values.ts';

/** Metadata at the start of a recording. */
export interface RecordingHeader {
  /** `ioheat 0.1.0` */
  readonly writer: string;
  readonly host: string;
  readonly kernel: string;
  /** One line about where the I/O came from, such as the name of a pattern. */
  readonly title: string;
  readonly clockBase: ClockBase;
  readonly hasWallClock: boolean;
  /** What was recorded, as a filter expression; empty for everything. */
  readonly recordedOnly: string;
  readonly unknown: readonly TraceField[];
  /** See `TraceHeader.latency`. */
  readonly latency?: 'total' | undefined;
  /** The process that recorded: its own writes are in the recording. Absent if no process of the traced machine did. */
  readonly recorderTgid?: number | undefined;
}

export function headerMetadata(header: RecordingHeader): KeyValues {
  const text = JSON.stringify(headerJson(header));
  return [
    [Meta.format, String(FORMAT_VERSION)],
    [Meta.header, text],
    [Meta.check, checkOf(text)],
  ];
}

/** CRC-32 in hexadecimal digits, without leading zeroes. */
export function checkOf(text: string): string {
  return crc32(text).toString(16);
}

/** The text under `name`; throws a `DamagedError` when its checksum does not match. */
export function checkedText(metadata: ReadonlyMap<string, string>, name: string): string {
  const text = metadata.get(name);
  if (text === undefined) throw new DamagedError(`no ${name}`);
  if (metadata.get(Meta.check) !== checkOf(text)) throw new DamagedError(`${name} has changed`);
  return text;
}

/** Several traces that are saved as one may have longer texts than a reader takes. */
const MOST_TITLE = 4 * MAX_NAME;
const MOST_FILTER = 64 * MAX_NAME;

export function headerJson(header: RecordingHeader): unknown {
  const { clockBase, writer, host, kernel, title, recordedOnly, ...rest } = header;
  return {
    writer: writer.slice(0, MAX_NAME),
    host: host.slice(0, MAX_NAME),
    kernel: kernel.slice(0, MAX_NAME),
    title: title.slice(0, MOST_TITLE),
    recordedOnly: recordedOnly.slice(0, MOST_FILTER),
    ...rest,
    monotonicNs: String(clockBase.monotonicNs),
    wallNs: String(clockBase.wallNs),
  };
}

/** Reverses `headerJson`; throws a `DamagedError` for anything else. */
export function parseHeader(value: unknown): RecordingHeader {
  const json = asRecord(value);
  const recorderTgid = optional(json['recorderTgid'], (tgid) => asInteger(tgid, 0, 2 ** 31));
  return {
    writer: asText(json['writer'], MAX_NAME),
    host: asText(json['host'], MAX_NAME),
    kernel: asText(json['kernel'], MAX_NAME),
    title: asText(json['title'], MOST_TITLE),
    clockBase: { monotonicNs: asBigint(json['monotonicNs']), wallNs: asBigint(json['wallNs']) },
    hasWallClock: json['hasWallClock'] === true,
    recordedOnly: asText(json['recordedOnly'], MOST_FILTER),
    unknown: asArray(json['unknown'], 64).filter(isTraceField),
    ...(json['latency'] === 'total' && { latency: 'total' as const }),
    ...(recorderTgid !== undefined && { recorderTgid }),
  };
}

function isTraceField(value: unknown): value is TraceField {
  return (TRACE_FIELDS as readonly unknown[]).includes(value);
}

/** Up to 2^62: a wall clock until the year 2116, and totals that fit into 64 bits. */
function asBigint(value: unknown): bigint {
  if (typeof value !== 'string' || !/^\d{1,18}$|^[1-3]\d{18}$/.test(value))
    throw new DamagedError('an impossible time');
  return BigInt(value);
}

/** Throws a `DamagedError` unless it is a list of at most `MAX_DEVICES` devices. */
export function parseDevices(value: unknown): DeviceInfo[] {
  return asArray(value, MAX_DEVICES).map(parseDevice);
}

function parseDevice(value: unknown): DeviceInfo {
  const json = asRecord(value);
  const sizeBytes = optional(json['sizeBytes'], (size) => asInteger(size, 0, MAX_OF_KERNEL));
  const scheduler = optional(json['scheduler'], (text) => asText(text, MAX_NAME));
  const model = optional(json['model'], (text) => asText(text, MAX_NAME));
  const mounts = optional(json['mounts'], (list) =>
    asArray(list, MAX_MOUNTS).map((path) => asText(path, MAX_PATH)),
  );
  const [volumes, liesOn] = [json['volumes'], json['liesOn']].map((value) =>
    optional(value, (list) => asArray(list, MAX_MOUNTS).map((name) => asText(name, MAX_NAME))),
  );
  const kernelName = optional(json['kernelName'], (text) => asText(text, MAX_NAME));
  const host = optional(json['host'], (text) => asText(text, MAX_NAME));
  const rotational = json['rotational'];
  return {
    dev: asInteger(json['dev'], 0, MAX_DEV),
    name: asText(json['name'], MAX_NAME),
    ...(kernelName !== undefined && { kernelName }),
    ...(sizeBytes !== undefined && { sizeBytes }),
    ...(typeof rotational === 'boolean' && { rotational }),
    ...(scheduler !== undefined && { scheduler }),
    ...(model !== undefined && { model }),
    ...(mounts !== undefined && { mounts }),
    ...(volumes !== undefined && { volumes }),
    ...(liesOn !== undefined && { liesOn }),
    ...(host !== undefined && { host }),
  };
}
