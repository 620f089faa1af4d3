import { OLD_IN_FLIGHT_NS, stageOf } from '../../model/in-flight.ts';
import type { InFlightIo } from '../../model/in-flight.ts';
import { NO_FILE } from '../../model/file.ts';
import { IdentityMark } from '../../model/identity.ts';
import { DEFAULT_LAYER, LAYERS, type Layer } from '../../model/layer.ts';
import { Op, OP_MASK } from '../../model/operation.ts';
import { decodeComm } from '../machine/decode-comm.ts';
import type { RequestFile } from './file-cache.ts';
import { fileNumbers } from './file-numbers.ts';
import {
  Dimension,
  Extent,
  FileId,
  Inflight,
  IoCompletion,
  IoFlag,
  StateBit,
  Via,
} from '../abi/layout.ts';

/**
 * A request, or a bio of a volume, that was submitted or issued but has not completed. Times are in ns since the start
 * of the trace.
 */
export interface InFlightRequest {
  /** Index of its slot. Together with `startNs` it identifies one use of a request. */
  readonly slot: number;
  readonly dev: number;
  /** Undefined for disks. A bio of a volume counts as issued when it is queued. */
  readonly layer: Layer | undefined;
  readonly op: number;
  readonly tgid: number;
  readonly tid: number;
  readonly comm: string;
  /** The kernel thread that submitted what the owner wrote to the page cache. */
  readonly via: string | undefined;
  readonly cgroup: number;
  readonly marks: number;
  /** When its first bio was queued; undefined if the submission was not seen. */
  readonly startNs: number | undefined;
  /** Undefined while it waits for the driver. */
  readonly issueNs: number | undefined;
  /** When it was queued or, if that was not seen, when it was issued. */
  readonly sinceNs: number;
  /** The time since `sinceNs`. */
  readonly ageNs: number;
  /** Bytes at the issue; undefined before it, and for a request without bytes. */
  readonly bytes: number | undefined;
  /** In 512-byte units of the whole disk; undefined like `bytes`, and for passthrough. */
  readonly sector: number | undefined;
  /** The file at the issue; undefined before it, and if the programs cannot read files. */
  readonly file: RequestFile | undefined;
}

/** Maps of the kernel programs, each with an entry per slot. */
export interface InflightMaps {
  readonly inflight: ArrayBuffer;
  readonly extents: ArrayBuffer;
  readonly files?: ArrayBuffer | undefined;
  readonly vias?: ArrayBuffer | undefined;
}

const SLOT_WORDS = Inflight.bytes / 4;
const { offsets } = Inflight;
const NAME_BYTES = IoCompletion.lengths.comm;
/** A slot changes three times while its request is in flight, so a second look is nearly always the last one. */
const LOOKS = 4;
/** All slots are searched this often for old requests, which each frame shows. */
const LOOK_EVERY_NS = OLD_IN_FLIGHT_NS / 2;
const LAYER_MASK = 3;
const NO_FILE_OFFSET = 2n ** 64n - 1n;

/**
 * Reads the slots in place, while the kernel programs write them. A slot that changed meanwhile is read again. A search
 * of all slots takes up to 0.2 ms, which is too much for each frame. Old requests do not need one each time: a request
 * that is old now was there at the last search, too.
 */
export class InflightReader {
  private readonly words: Int32Array;
  private readonly copy = new Int32Array(SLOT_WORDS);
  private readonly copied = new DataView(this.copy.buffer);
  /** When all slots were last searched, and the slots of those requests that may become old before the next search. */
  private lookedNs = -Infinity;
  private aging: readonly number[] = [];

  constructor(
    private readonly maps: InflightMaps,
    private readonly slots: number,
    private readonly baseNs: bigint,
  ) {
    this.words = new Int32Array(maps.inflight, 0, slots * SLOT_WORDS);
  }

  /** The requests whose age is at least `minAgeNs`, the oldest first. */
  list(nowNs: number, minAgeNs = 0): InFlightRequest[] {
    if (minAgeNs < OLD_IN_FLIGHT_NS) return this.listAll(nowNs, minAgeNs);
    const sinceNs = nowNs - this.lookedNs;
    if (sinceNs < 0 || sinceNs >= LOOK_EVERY_NS) {
      this.lookedNs = nowNs;
      const old = this.listAll(nowNs, OLD_IN_FLIGHT_NS - LOOK_EVERY_NS);
      this.aging = old.map(({ slot }) => slot);
    }
    return this.listOf(this.aging, nowNs, minAgeNs);
  }

  private listAll(nowNs: number, minAgeNs: number): InFlightRequest[] {
    const taken: number[] = [];
    for (let slot = 0; slot < this.slots; slot++) if (!this.isFree(slot)) taken.push(slot);
    return this.listOf(taken, nowNs, minAgeNs);
  }

  private listOf(slots: readonly number[], nowNs: number, minAgeNs: number): InFlightRequest[] {
    const found: InFlightRequest[] = [];
    for (const slot of slots) {
      const request = this.read(slot, nowNs);
      if (request !== undefined && request.ageNs >= minAgeNs) found.push(request);
    }
    return found.sort((a, b) => b.ageNs - a.ageNs);
  }

  private isFree(slot: number): boolean {
    const at = slot * SLOT_WORDS;
    return this.words[at] === 0 && this.words[at + 1] === 0;
  }

  /** Undefined if the request has ended meanwhile or is not completely written yet. */
  private read(slot: number, nowNs: number): InFlightRequest | undefined {
    for (let look = 0; look < LOOKS; look++) {
      this.copySlot(slot);
      const request = this.decode(slot, nowNs);
      if (this.isUnchanged(slot)) return request;
    }
    return undefined;
  }

  /** Uses atomic loads, because the compiler may reuse the value of an earlier plain load. */
  private copySlot(slot: number): void {
    const { words, copy } = this;
    for (let i = 0; i < SLOT_WORDS; i++) copy[i] = Atomics.load(words, slot * SLOT_WORDS + i);
  }

  private isUnchanged(slot: number): boolean {
    const { words, copy } = this;
    return copy.every((word, i) => word === Atomics.load(words, slot * SLOT_WORDS + i));
  }

  private decode(slot: number, nowNs: number): InFlightRequest | undefined {
    const { copied: view } = this;
    const state = view.getUint32(offsets.state, true);
    const startNs = this.time(view.getBigUint64(offsets.startNs, true));
    const issueNs = this.time(view.getBigUint64(offsets.issueNs, true));
    const sinceNs = startNs ?? issueNs;
    const isFree = view.getBigUint64(offsets.name, true) === 0n;
    // The programs write one of the times last, so without both the request is not complete.
    if (isFree || sinceNs === undefined) return undefined;
    const op = state & OP_MASK;
    const isIssued = issueNs !== undefined;
    return {
      slot,
      dev: view.getUint32(offsets.dev, true),
      layer: layerOf(state),
      op,
      tgid: view.getUint32(offsets.tgid, true),
      tid: view.getUint32(offsets.tid, true),
      comm: nameAt(view, offsets.comm),
      via: (state & StateBit.hasVia) === 0 ? undefined : this.via(slot),
      cgroup: Number(view.getBigUint64(offsets.cgroup, true)),
      marks: marksOf(state),
      startNs,
      issueNs,
      sinceNs,
      ageNs: Math.max(0, nowNs - sinceNs),
      ...(isIssued ? this.extent(slot, op) : UNPLACED),
      file: isIssued ? this.file(slot) : undefined,
    };
  }

  private extent(slot: number, op: number): Pick<InFlightRequest, 'bytes' | 'sector'> {
    const view = new DataView(this.maps.extents, slot * Extent.bytes, Extent.bytes);
    const bytes = view.getUint32(Extent.offsets.bytes, true);
    if (bytes === 0) return UNPLACED;
    const sector = Number(view.getBigUint64(Extent.offsets.sector, true));
    return { bytes, sector: op < Op.driverIn ? sector : undefined };
  }

  private via(slot: number): string | undefined {
    const { vias } = this.maps;
    return vias && nameAt(new DataView(vias, slot * Via.bytes, Via.bytes), Via.offsets.comm);
  }

  private file(slot: number): RequestFile | undefined {
    const { files } = this.maps;
    if (files === undefined) return undefined;
    const view = new DataView(files, slot * FileId.bytes, FileId.bytes);
    const flags = view.getUint32(FileId.offsets.flags, true);
    const offset = view.getBigUint64(FileId.offsets.offset, true);
    return {
      kind: flags >>> Dimension.fileKindShift,
      dev: view.getUint32(FileId.offsets.fileDev, true),
      ...fileNumbers(
        view.getUint32(FileId.offsets.inode, true),
        view.getUint32(FileId.offsets.inode + 4, true),
        view.getUint32(FileId.offsets.generation, true),
      ),
      hasOtherFiles: (flags & IoFlag.otherFiles) !== 0,
      offset: offset === NO_FILE_OFFSET ? undefined : Number(offset),
    };
  }

  private time(monotonicNs: bigint): number | undefined {
    return monotonicNs === 0n ? undefined : Number(monotonicNs - this.baseNs);
  }
}

const UNPLACED = { bytes: undefined, sector: undefined } as const;

function nameAt({ buffer, byteOffset }: DataView, at: number): string {
  return decodeComm(new Uint8Array(buffer, byteOffset + at, NAME_BYTES));
}

/** Converts a request to the type that all sources have. `fileNumber` is `FileCache.numberOf`. */
export function inFlightIo(
  request: InFlightRequest,
  fileNumber: (file: RequestFile) => number,
): InFlightIo {
  const { slot, sinceNs, issueNs, ageNs, bytes, sector, file } = request;
  const { layer, dev, tgid, tid, comm, via, cgroup, op } = request;
  const marks = request.marks | IdentityMark.flagsUnknown | IdentityMark.errorUnknown;
  return {
    ...{ slot, sinceNs, issueNs, ageNs },
    stage: stageOf(issueNs !== undefined, layer),
    identity: { dev, cmdFlags: op, tgid, tid, comm, via, cgroup, error: 0, marks, layer },
    bytes,
    sector,
    file: file && (hasData(request) ? fileNumber(file) : NO_FILE),
    fileOffset: file?.offset,
  };
}

/** Flushes, discards, zone operations and passthrough have no file. */
function hasData({ op, bytes }: Pick<InFlightRequest, 'op' | 'bytes'>): boolean {
  return bytes !== undefined && (op === Op.read || op === Op.write);
}

function layerOf(state: number): Layer | undefined {
  const layer = LAYERS[(state >>> StateBit.layerShift) & LAYER_MASK];
  return layer === DEFAULT_LAYER ? undefined : layer;
}

function marksOf(state: number): number {
  const ownerUnknown = (state & StateBit.ownerUnknown) === 0 ? 0 : IdentityMark.ownerUnknown;
  const indirect = (state & StateBit.indirect) === 0 ? 0 : IdentityMark.indirect;
  const isShared = (state & StateBit.severalWriters) !== 0;
  return ownerUnknown | indirect | (isShared ? IdentityMark.severalWriters : 0);
}
