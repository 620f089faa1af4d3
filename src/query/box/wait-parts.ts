import type { History } from '../../history/history.ts';
import { hostNumberOf, isUnknownDevice } from '../../model/device.ts';
import { fileNumber, FIRST_FILE, isSeveralFiles } from '../../model/file.ts';
import type { FileFacts } from '../../model/file.ts';
import type { Identity } from '../../model/identity.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import { DEFAULT_LAYER, isOfPrograms, layerOf } from '../../model/layer.ts';
import { opClass } from '../../model/operation.ts';
import { isThrottled } from '../../model/request-text.ts';
import type { ActivityInfo } from '../activity/activity-report.ts';
import { singleIo } from '../slowest/single-io.ts';
import type { SingleIo } from '../slowest/single-io.ts';
import type { RowPlace } from '../slowest/slowest.ts';
import { unionNs } from './union.ts';
import type { Span } from './union.ts';

/** What the I/O was of: bytes of the file, metadata of the file system, its journal, or a flush of the disk's cache. */
export type PartStage = 'data' | 'metadata' | 'journal' | 'flush';

/** I/O of a disk during a wait or call, and on its behalf as far as that is known. */
export interface WaitPart {
  readonly stage: PartStage;
  readonly io: SingleIo;
  /** When it was queued: ns after the start of the wait, 0 if before. */
  readonly afterNs: number;
  /** Share of the wait during which it was queued or at the device, 0 to 1. */
  readonly share: number;
}

/** What a wait or call waited for. `queueNs`, `deviceNs` and `outsideNs` add up to its time. */
export interface WaitParts {
  readonly io: SingleIo;
  readonly totalNs: number;
  /** In the order in which they were queued. */
  readonly parts: readonly WaitPart[];
  /** Time with at least one of them at its device. */
  readonly deviceNs: number;
  /** Time with none at its device and at least one queued. */
  readonly queueNs: number;
  /**
   * Time with none of them in the block layer, while a later one was held back or a thread was throttled: by a cgroup
   * limit, or because too much was written to the page cache. Part of `outsideNs`.
   */
  readonly throttledNs: number;
  /** Time with none of them in the block layer. */
  readonly outsideNs: number;
  /** I/Os without known times; they are in none of the figures. */
  readonly untimed: number;
  /** False if some I/O of this time is known only as a count: some of `outsideNs` may be that I/O. */
  readonly isComplete: boolean;
}

/**
 * What a wait or call waited for, as far as that I/O is known individually; undefined for anything but waits and calls.
 */
export function waitParts(
  history: Pick<History, 'query'>,
  { rows, row }: RowPlace,
  info: ActivityInfo,
): WaitParts | undefined {
  const { identities } = info;
  const caller = identities.get(rows.identity[row]!);
  const totalNs = rows.deviceNs[row]! + rows.queueNs[row]!;
  if (!isOfPrograms(layerOf(caller)) || !(totalNs > 0)) return undefined;
  const endNs = rows.completeNs[row]!;
  const file = fileNumber(rows.file[row]!);
  const asked = { caller, file, facts: identities.files.get(file) };
  const { chunks, slices } = history.query(endNs - totalNs, endNs + 1);
  const found: Found[] = [];
  const pauses: Span[] = [];
  for (const chunk of chunks)
    for (let at = chunk.from; at < chunk.to; at++) {
      const ended = chunk.rows.completeNs[at]!;
      if (ended < endNs - totalNs || ended > endNs) continue;
      const { dev } = identities.get(chunk.rows.identity[at]!);
      if (hostNumberOf(dev) !== hostNumberOf(caller.dev)) continue;
      pauses.push(...pauseOf({ rows: chunk.rows, row: at }, caller, identities));
      const one = foundOf({ rows: chunk.rows, row: at }, asked, info);
      if (one !== undefined) found.push(one);
    }
  const related = relatedOf(found, caller);
  return {
    ...{ io: singleIo({ rows, row }, info), totalNs },
    ...figuresOf(related, pauses, { startNs: endNs - totalNs, endNs }, info),
    isComplete: [...slices].length === 0,
  };
}

interface Asked {
  readonly caller: Identity;
  readonly file: number;
  readonly facts: FileFacts;
}

interface Found {
  readonly place: RowPlace;
  readonly stage: PartStage;
  readonly dev: number;
  /** Certainly on behalf of the call: by its thread, or on its file. */
  readonly isOwn: boolean;
}

const JOURNAL_THREAD = /^(jbd2\/|xfs-cil|xfsaild|btrfs-transacti)/;

/** Undefined for I/O that has nothing to do with the call. */
function foundOf(place: RowPlace, asked: Asked, info: ActivityInfo): Found | undefined {
  const identity = info.identities.get(place.rows.identity[place.row]!);
  if (layerOf(identity) !== DEFAULT_LAYER || isEmptyWrite(place, identity)) return undefined;
  const file = fileNumber(place.rows.file[place.row]!);
  const facts = info.identities.files.get(file);
  const isJournal = facts.kind === 'journal' || isOfJournal(identity);
  // The owner of a journal I/O is drawn among those who filled the transaction: it is no more that owner's than the
  // others'.
  const isDrawn = isJournal && identity.via !== undefined;
  const isOwn =
    (!isDrawn && identity.tid === asked.caller.tid) ||
    (file >= FIRST_FILE && file === asked.file && !isSeveralFiles(facts));
  const { cmdFlags, dev } = identity;
  if (opClass(cmdFlags) === 'flush')
    return isOwn || isJournal || identity.tgid === asked.caller.tgid
      ? { place, dev, isOwn, stage: 'flush' }
      : undefined;
  if (isJournal && opClass(asked.caller.cmdFlags) !== 'read')
    return { place, dev, isOwn, stage: 'journal' };
  if (!isOwn) return undefined;
  return { place, dev, isOwn, stage: isMetadata(facts, asked) ? 'metadata' : 'data' };
}

/** Blocks of the device, read or written for a file, are those of its file system. */
function isMetadata({ kind }: FileFacts, { facts }: Asked): boolean {
  return kind === 'metadata' || (kind === 'device' && facts.kind === 'file');
}

/**
 * The empty write with which an fsync ends. It is never issued, and the flush that it waits for has a row of its own.
 */
function isEmptyWrite({ rows, row }: RowPlace, { cmdFlags }: Identity): boolean {
  const isWrite = opClass(cmdFlags) === 'write';
  return isWrite && rows.bytes[row] === 0 && !(rows.deviceNs[row]! >= 0);
}

function isOfJournal({ comm, via = '' }: Identity): boolean {
  return JOURNAL_THREAD.test(comm) || JOURNAL_THREAD.test(via);
}

/** The journal I/O of another disk has nothing to do with this wait. */
function relatedOf(found: readonly Found[], { dev }: Identity): readonly Found[] {
  const devs = new Set(found.filter(({ isOwn }) => isOwn).map((one) => one.dev));
  if (!isUnknownDevice(dev)) devs.add(dev);
  return found.filter((one) => one.isOwn || devs.has(one.dev));
}

/** The span of the row if it is a throttled wait of the same thread. */
function pauseOf({ rows, row }: RowPlace, caller: Identity, identities: IdentityTable): Span[] {
  const identity = identities.get(rows.identity[row]!);
  const isPause = layerOf(identity) === 'waits' && isThrottled(identity);
  if (!isPause || identity.tid !== caller.tid) return [];
  const endNs = rows.completeNs[row]!;
  return [{ startNs: endNs - rows.deviceNs[row]!, endNs }];
}

/** I/O that was held back counts as held back from the start of the wait: nothing more exact is known. */
function heldBackSpans(
  related: readonly Found[],
  spans: readonly { readonly whole?: Span }[],
  { startNs }: Span,
  { identities }: ActivityInfo,
): Span[] {
  return related.flatMap(({ place }, i) => {
    const { whole } = spans[i]!;
    const isHeld = isThrottled(identities.get(place.rows.identity[place.row]!));
    return isHeld && whole !== undefined ? [{ startNs, endNs: whole.startNs }] : [];
  });
}

function figuresOf(
  related: readonly Found[],
  pauses: readonly Span[],
  within: Span,
  info: ActivityInfo,
): Pick<WaitParts, 'parts' | 'deviceNs' | 'queueNs' | 'throttledNs' | 'outsideNs' | 'untimed'> {
  const { startNs } = within;
  const totalNs = within.endNs - startNs;
  const spans = related.map(({ place }) => spansOf(place));
  const deviceNs = unionNs(
    spans.flatMap(({ device }) => device ?? []),
    within,
  );
  const inBlock = spans.flatMap(({ whole }) => whole ?? []);
  const blockNs = unionNs(inBlock, within);
  const held = heldBackSpans(related, spans, within, info);
  const throttledNs = unionNs([...inBlock, ...(held.length > 0 ? held : pauses)], within) - blockNs;
  const parts = related.map(({ place, stage }, i): WaitPart => {
    const io = singleIo(place, info);
    const { whole = { startNs: io.completeNs, endNs: io.completeNs } } = spans[i]!;
    const share = unionNs([whole], within) / totalNs;
    return { stage, io, share, afterNs: Math.max(0, whole.startNs - startNs) };
  });
  return {
    parts: parts.sort((a, b) => a.afterNs - b.afterNs),
    ...{ deviceNs, queueNs: blockNs - deviceNs, outsideNs: totalNs - blockNs },
    throttledNs,
    untimed: spans.filter(({ whole }) => whole === undefined).length,
  };
}

/** Both undefined where its times are unknown, because it was in flight when tracing began. */
function spansOf({ rows, row }: RowPlace): { readonly device?: Span; readonly whole?: Span } {
  const endNs = rows.completeNs[row]!;
  const deviceNs = rows.deviceNs[row]!;
  const queueNs = rows.queueNs[row]!;
  if (!(deviceNs >= 0)) return {};
  const device = { startNs: endNs - deviceNs, endNs };
  return { device, whole: queueNs >= 0 ? { startNs: device.startNs - queueNs, endNs } : device };
}
