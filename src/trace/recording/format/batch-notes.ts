import type { DeviceInfo } from '../../../model/device.ts';
import type { DiskBusy } from '../../../model/disk-busy.ts';
import { FILE_KINDS, FIRST_FILE } from '../../../model/file.ts';
import type { FileFacts } from '../../../model/file.ts';
import { IdentityMark, type Identity } from '../../../model/identity.ts';
import { layerOf } from '../../../model/layer.ts';
import type { ProcessFacts } from '../../../model/known-processes.ts';
import type { InFlightSpan } from '../../../model/in-flight.ts';
import { MAX_NOTE_TEXT, MAX_NOTES } from '../../../model/notes.ts';
import type { Note } from '../../../model/notes.ts';
import type { CgroupPressureSample } from '../../../model/machine-pressure.ts';
import type { PressureSample } from '../../../model/pressure.ts';
import type { DiskLoss, SourceCounters } from '../../completion-summary.ts';
import type { Stretch } from '../../trace-reader.ts';
import type { KeyValues } from '../arrow/arrow-schema.ts';
import { DamagedError } from '../arrow/flat-reader.ts';
import {
  BATCH_ROWS,
  EPOCH_KEYS,
  MAX_BUSY,
  MAX_CGROUP_NAME,
  MAX_CGROUPS,
  MAX_COMMAND,
  MAX_DEV,
  MAX_DEVICES,
  MAX_FILES,
  MAX_NAME,
  MAX_OF_KERNEL,
  MAX_PATH,
  MAX_PRESSURE_SAMPLES,
  MAX_PROCESSES,
  MAX_SPANS,
  MAX_TIME_NS,
  Meta,
} from './format.ts';
import type { NumberedFile } from './file-book.ts';
import { asArray, asInteger, asRecord, asText, optional, parseJson } from './json-values.ts';
import { checkedText, checkOf, headerJson, parseDevices, parseHeader } from './recording-header.ts';
import type { RecordingHeader } from './recording-header.ts';
import { inFlightJson, parseInFlight } from './in-flight-json.ts';
import { asLayer, keyJson, parseKey } from './key-json.ts';

/** The notes of a batch, stored in its metadata. */
export interface BatchNotes {
  readonly isSummary: boolean;
  readonly rows: number;
  /** Individual I/Os in earlier batches of this file. */
  readonly rowsBefore: number;
  /** Earliest and latest completion, or the stretch of a summary; ns since the start of the trace. */
  readonly startNs: number;
  readonly endNs: number;
  readonly bodyBytes: number;
  readonly epoch: number;
  /** Number, within the epoch, of the first of `keys`. */
  readonly keysFrom: number;
  readonly keys: readonly Identity[];
  /** Number of files that earlier batches of the epoch have defined. */
  readonly filesFrom: number;
  /** New files, and known ones whose path has changed. */
  readonly files: readonly NumberedFile[];
  /** New or changed disks; all disks at the start of an epoch. */
  readonly devices: readonly DeviceInfo[];
  readonly cgroups: readonly (readonly [id: number, name: string])[];
  readonly processes: readonly KnownProcess[];
  /** Notes that people added, changed or, with an empty text, removed. */
  readonly userNotes: readonly Note[];
  /**
   * New or changed spans of I/O in flight; at the start of an epoch, all that have not ended. Files have their number
   * in the epoch. Absent if it is unknown what is in flight.
   */
  readonly inFlight?: readonly InFlightSpan[] | undefined;
  /** Samples of how long tasks waited for storage, since the batch before; absent if that is unknown. */
  readonly pressure?: readonly PressureSample[] | undefined;
  /** The same of cgroups. */
  readonly cgroupPressure: readonly CgroupPressureSample[];
  /** How long disks were busy by the kernel's own count, where some of their I/O has no rows. */
  readonly busy: readonly DiskBusy[];
  readonly counters?: SourceCounters | undefined;
  /** The stretch recorded so far, whether or not there was I/O. */
  readonly recorded?: Stretch | undefined;
  /** At the start of an epoch, so that the epoch can be read alone. */
  readonly header?: RecordingHeader | undefined;
}

/** The facts about a process, with its name. */
export interface KnownProcess extends ProcessFacts {
  readonly tgid: number;
  readonly comm: string;
}

export function notesMetadata(notes: BatchNotes): KeyValues {
  const { keys, header, files, devices, cgroups, processes, userNotes, ...more } = notes;
  const { inFlight, pressure, cgroupPressure, busy, ...rest } = more;
  const text = JSON.stringify({
    ...rest,
    ...(keys.length > 0 && { keys: keys.map(keyJson) }),
    ...(keys.some(({ via }) => via !== undefined) && { vias: viasJson(keys) }),
    ...(keys.some(({ layer }) => layer !== undefined) && { layers: layersJson(keys) }),
    ...(files.length > 0 && { files: files.map(fileJson) }),
    ...(files.some(isSeen) && { firstSeen: files.filter(isSeen).map(firstSeenJson) }),
    ...(devices.length > 0 && { devices }),
    ...(cgroups.length > 0 && { cgroups: cgroups.map(cgroupJson) }),
    ...(processes.length > 0 && { processes: processes.map(processJson) }),
    ...(userNotes.length > 0 && {
      userNotes: userNotes
        .slice(0, MOST_USER_NOTES)
        .map(({ atNs, text }) => [atNs, text.slice(0, MAX_NOTE_TEXT)]),
    }),
    ...(inFlight !== undefined && { inFlight: inFlight.map(inFlightJson) }),
    ...(pressure !== undefined && { pressure: pressure.map(pressureJson) }),
    ...(cgroupPressure.length > 0 && {
      cgroupPressure: cgroupPressure.map(cgroupPressureJson),
    }),
    ...(busy.length > 0 && { busy: busy.map(busyJson) }),
    ...(header !== undefined && { header: headerJson(header) }),
  });
  return [
    [Meta.batch, text],
    [Meta.check, checkOf(text)],
  ];
}

/** For the keys with a `via`: number among `keys`, thread, and whether several processes wrote. */
function viasJson(keys: readonly Identity[]): unknown {
  return keys.flatMap(({ via, marks }, index) =>
    via === undefined
      ? []
      : [[index, via.slice(0, MAX_NAME), (marks & IdentityMark.severalWriters) === 0 ? 0 : 1]],
  );
}

function withVias(keys: readonly Identity[], vias: unknown): readonly Identity[] {
  const known = [...keys];
  for (const value of asArray(vias, EPOCH_KEYS)) {
    const [index, via, isShared] = asArray(value, 3);
    const at = asInteger(index, 0, keys.length - 1);
    const several = asInteger(isShared, 0, 1) * IdentityMark.severalWriters;
    known[at] = { ...keys[at]!, via: asText(via, MAX_NAME), marks: keys[at]!.marks | several };
  }
  return known;
}

/** For the keys that are not of the layer `disks`: number among `keys`, and layer. */
function layersJson(keys: readonly Identity[]): unknown {
  return keys.flatMap((key, index) => (key.layer === undefined ? [] : [[index, layerOf(key)]]));
}

function withLayers(keys: readonly Identity[], layers: unknown): readonly Identity[] {
  const known = [...keys];
  for (const value of asArray(layers, EPOCH_KEYS)) {
    const [index, name] = asArray(value, 2);
    const at = asInteger(index, 0, keys.length - 1);
    known[at] = { ...keys[at]!, layer: asLayer(name) };
  }
  return known;
}

/** Throws a `DamagedError` for notes that were changed or are impossible. */
export function parseNotes(metadata: ReadonlyMap<string, string>): BatchNotes {
  const json = asRecord(parseJson(checkedText(metadata, Meta.batch)));
  const startNs = asInteger(json['startNs'], -MAX_TIME_NS, MAX_TIME_NS);
  return {
    isSummary: json['isSummary'] === true,
    rows: asInteger(json['rows'], 0, BATCH_ROWS),
    rowsBefore: asInteger(json['rowsBefore'], 0, Number.MAX_SAFE_INTEGER),
    startNs,
    endNs: asInteger(json['endNs'], startNs, MAX_TIME_NS),
    bodyBytes: asInteger(json['bodyBytes'], 0, Number.MAX_SAFE_INTEGER),
    epoch: asInteger(json['epoch'], 0, Number.MAX_SAFE_INTEGER),
    keysFrom: asInteger(json['keysFrom'], 0, EPOCH_KEYS),
    keys: parseKeys(json),
    filesFrom: asInteger(json['filesFrom'] ?? FIRST_FILE, FIRST_FILE, FIRST_FILE + MAX_FILES),
    files: parseFiles(json),
    devices: parseDevices(json['devices'] ?? []),
    cgroups: asArray(json['cgroups'] ?? [], MAX_CGROUPS).map(parseCgroup),
    processes: asArray(json['processes'] ?? [], MAX_PROCESSES).map(parseProcess),
    userNotes: asArray(json['userNotes'] ?? [], MOST_USER_NOTES).map(parseUserNote),
    inFlight: optional(json['inFlight'], (list) => asArray(list, MAX_SPANS).map(parseInFlight)),
    pressure: optional(json['pressure'], (list) =>
      asArray(list, MAX_PRESSURE_SAMPLES).map(parsePressure),
    ),
    cgroupPressure: asArray(json['cgroupPressure'] ?? [], MAX_PRESSURE_SAMPLES).map(
      parseCgroupPressure,
    ),
    busy: asArray(json['busy'] ?? [], MAX_BUSY).map(parseBusy),
    counters: optional(json['counters'], parseCounters),
    recorded: optional(json['recorded'], parseStretch),
    header: optional(json['header'], parseHeader),
  };
}

function parseKeys(json: Readonly<Record<string, unknown>>): readonly Identity[] {
  const keys = asArray(json['keys'] ?? [], EPOCH_KEYS).map(parseKey);
  return withLayers(withVias(keys, json['vias'] ?? []), json['layers'] ?? []);
}

function isSeen([, , firstSeenNs]: NumberedFile): boolean {
  return firstSeenNs !== undefined;
}

function firstSeenJson([number, , firstSeenNs]: NumberedFile): unknown {
  return [number, Math.floor(firstSeenNs!)];
}

function parseFiles(json: Readonly<Record<string, unknown>>): readonly NumberedFile[] {
  const files = asArray(json['files'] ?? [], MAX_FILES).map(parseFile);
  const seen = new Map(asArray(json['firstSeen'] ?? [], MAX_FILES).map(parseFirstSeen));
  return files.map(([number, facts]) => [number, facts, seen.get(number)]);
}

function parseFirstSeen(value: unknown): readonly [number: number, atNs: number] {
  const [number, atNs] = asArray(value, 2);
  return [
    asInteger(number, FIRST_FILE, FIRST_FILE + MAX_FILES),
    asInteger(atNs, -MAX_TIME_NS, MAX_TIME_NS),
  ];
}

function fileJson([number, { kind, dev, inode, generation, path }]: NumberedFile): unknown {
  return [number, kind, dev, inode, generation, path?.slice(0, MAX_PATH) ?? null];
}

function parseFile(value: unknown): NumberedFile {
  const [number, kind, dev, inode, generation, path] = asArray(value, 6);
  const known = FILE_KINDS.find((name) => name === kind);
  if (known === undefined) throw new DamagedError('a file of unknown kind');
  const facts: FileFacts = {
    kind: known,
    dev: asInteger(dev, 0, MAX_DEV),
    inode: asInteger(inode, 0, MAX_OF_KERNEL),
    generation: asInteger(generation, 0, Number.MAX_SAFE_INTEGER),
    path: optional(path, (text) => asText(text, MAX_PATH)),
  };
  return [asInteger(number, FIRST_FILE, FIRST_FILE + MAX_FILES), facts];
}

function cgroupJson([id, name]: BatchNotes['cgroups'][number]): unknown {
  return [id, name.slice(0, MAX_CGROUP_NAME)];
}

function parseCgroup(value: unknown): [number, string] {
  const [id, name] = asArray(value, 2);
  return [asInteger(id, 0, Number.MAX_SAFE_INTEGER), asText(name, MAX_CGROUP_NAME)];
}

function processJson({ tgid, comm, command, user, uid }: KnownProcess): unknown {
  return [
    tgid,
    comm.slice(0, MAX_NAME),
    command?.slice(0, MAX_COMMAND) ?? null,
    user?.slice(0, MAX_NAME) ?? null,
    uid ?? null,
  ];
}

function parseProcess(value: unknown): KnownProcess {
  const [tgid, comm, ...facts] = asArray(value, 5);
  const command = optional(facts[0], (text) => asText(text, MAX_COMMAND));
  const user = optional(facts[1], (text) => asText(text, MAX_NAME));
  const uid = optional(facts[2], (id) => asInteger(id, 0, 2 ** 32 - 1));
  return {
    tgid: asInteger(tgid, 0, 2 ** 32 - 1),
    comm: asText(comm, MAX_NAME),
    ...(command !== undefined && { command }),
    ...(user !== undefined && { user }),
    ...(uid !== undefined && { uid }),
  };
}

/** Notes per batch: several traces may be saved as one. */
const MOST_USER_NOTES = 16 * MAX_NOTES;

function parseUserNote(value: unknown): Note {
  const [atNs, text] = asArray(value, 2);
  return {
    atNs: asInteger(atNs, -MAX_TIME_NS, MAX_TIME_NS),
    text: asText(text, MAX_NOTE_TEXT),
  };
}

function cgroupPressureJson({ cgroup, ...sample }: CgroupPressureSample): unknown {
  return [cgroup, pressureJson(sample)];
}

function parseCgroupPressure(value: unknown): CgroupPressureSample {
  const [cgroup, sample] = asArray(value, 2);
  return { cgroup: asInteger(cgroup, 0, Number.MAX_SAFE_INTEGER), ...parsePressure(sample) };
}

function pressureJson({ atNs, someNs, fullNs }: PressureSample): unknown {
  return [atNs, someNs, fullNs].map(Math.floor);
}

function parsePressure(value: unknown): PressureSample {
  const [at, some, full] = asArray(value, 3);
  return {
    atNs: asInteger(at, -MAX_TIME_NS, MAX_TIME_NS),
    someNs: asInteger(some, 0, MAX_OF_KERNEL),
    fullNs: asInteger(full, 0, MAX_OF_KERNEL),
  };
}

function busyJson({ dev, fromNs, toNs, busyNs }: DiskBusy): unknown {
  return [dev, ...[fromNs, toNs, busyNs].map(Math.round)];
}

function parseBusy(value: unknown): DiskBusy {
  const [dev, from, to, busy] = asArray(value, 4);
  const fromNs = asInteger(from, -MAX_TIME_NS, MAX_TIME_NS);
  return {
    dev: asInteger(dev, 0, MAX_DEV),
    fromNs,
    toNs: asInteger(to, fromNs, MAX_TIME_NS),
    busyNs: asInteger(busy, 0, Number.MAX_SAFE_INTEGER),
  };
}

const LOSSES_MOST = 64;

function parseCounters(value: unknown): SourceCounters {
  const json = asRecord(value);
  const losses = Object.entries(asRecord(json['losses']));
  if (losses.length > LOSSES_MOST) throw new DamagedError(`${losses.length} kinds of loss`);
  return {
    delivered: asCount(json['delivered']),
    summarised: asCount(json['summarised']),
    lost: asCount(json['lost']),
    losses: Object.fromEntries(losses.map(([name, count]) => [name, asCount(count)])),
    lostOn: optional(json['lostOn'], (list) =>
      asArray(list, MAX_DEVICES * LOSSES_MOST).map(parseDiskLoss),
    ),
  };
}

function parseStretch(value: unknown): Stretch {
  const json = asRecord(value);
  const startNs = asInteger(json['startNs'], -MAX_TIME_NS, MAX_TIME_NS);
  return { startNs, endNs: asInteger(json['endNs'], startNs, MAX_TIME_NS) };
}

function parseDiskLoss(value: unknown): DiskLoss {
  const json = asRecord(value);
  return {
    dev: asInteger(json['dev'], 0, MAX_DEV),
    way: asText(json['way'], MAX_NAME),
    count: asCount(json['count']),
  };
}

function asCount(value: unknown): number {
  return asInteger(value, 0, Number.MAX_SAFE_INTEGER);
}
