import type { InFlightIo } from '../../model/in-flight.ts';
import { IdentityMark } from '../../model/identity-table.ts';
import { Op, OP_MASK } from '../../model/operation.ts';
import { decodeComm } from './decode-comm.ts';
import { Extent, Inflight, IoCompletion, StateBit } from '../abi/layout.ts';

/** A request that was submitted or issued but has not completed. Times in ns since the start of the trace. */
export interface InFlightRequest {
  /** Index of its slot. With `startNs`, tells one use of a request from the next. */
  readonly slot: number;
  readonly dev: number;
  readonly op: number;
  readonly tgid: number;
  readonly tid: number;
  readonly comm: string;
  readonly cgroup: number;
  readonly marks: number;
  /** When its first bio was queued; undefined when the submission was not seen. */
  readonly startNs: number | undefined;
  /** Undefined while it waits for the driver. */
  readonly issueNs: number | undefined;
  /** Since it was queued, or since its issue if only that was seen. */
  readonly ageNs: number;
  /** Of the issue; undefined before, and where a request has no bytes. */
  readonly bytes: number | undefined;
  /** 512-byte units on the whole disk; undefined as `bytes`, and for passthrough. */
  readonly sector: number | undefined;
}

const { bytes, offsets } = Inflight;

/** Reads the slots in place. If a request completes meanwhile, some fields may belong to its successor. */
export class InflightReader {
  private readonly words: Uint32Array;

  constructor(
    private readonly buffer: ArrayBuffer,
    private readonly extents: ArrayBuffer,
    private readonly slots: number,
    private readonly baseNs: bigint,
  ) {
    this.words = new Uint32Array(buffer, 0, (slots * bytes) / 4);
  }

  /** Requests of at least `minAgeNs`, the oldest first. */
  list(nowNs: number, minAgeNs = 0): InFlightRequest[] {
    const found: InFlightRequest[] = [];
    for (let slot = 0; slot < this.slots; slot++) {
      const at = (slot * bytes) / 4;
      if (this.words[at] === 0 && this.words[at + 1] === 0) continue;
      const request = this.read(slot, nowNs);
      if (request.ageNs >= minAgeNs) found.push(request);
    }
    return found.sort((a, b) => b.ageNs - a.ageNs);
  }

  private read(slot: number, nowNs: number): InFlightRequest {
    const at = slot * bytes;
    const view = new DataView(this.buffer, at, bytes);
    const state = view.getUint32(offsets.state, true);
    const startNs = this.time(view.getBigUint64(offsets.startNs, true));
    const issueNs = this.time(view.getBigUint64(offsets.issueNs, true));
    const op = state & OP_MASK;
    const extent = new DataView(this.extents, slot * Extent.bytes, Extent.bytes);
    const isPlaced = issueNs !== undefined && extent.getUint32(Extent.offsets.bytes, true) > 0;
    return {
      slot,
      dev: view.getUint32(offsets.dev, true),
      op,
      tgid: view.getUint32(offsets.tgid, true),
      tid: view.getUint32(offsets.tid, true),
      comm: decodeComm(new Uint8Array(this.buffer, at + offsets.comm, IoCompletion.lengths.comm)),
      cgroup: Number(view.getBigUint64(offsets.cgroup, true)),
      marks: marksOf(state),
      startNs,
      issueNs,
      ageNs: Math.max(0, nowNs - (startNs ?? issueNs ?? nowNs)),
      bytes: isPlaced ? extent.getUint32(Extent.offsets.bytes, true) : undefined,
      sector:
        isPlaced && op < Op.driverIn
          ? Number(extent.getBigUint64(Extent.offsets.sector, true))
          : undefined,
    };
  }

  private time(monotonicNs: bigint): number | undefined {
    return monotonicNs === 0n ? undefined : Number(monotonicNs - this.baseNs);
  }
}

/** As the rest of the program has it. */
export function inFlightIo({ issueNs, ...request }: InFlightRequest): InFlightIo {
  const { ageNs, dev, tgid, tid, comm, cgroup, op, bytes, sector } = request;
  const marks = request.marks | IdentityMark.flagsUnknown | IdentityMark.errorUnknown;
  return {
    ageNs,
    stage: issueNs === undefined ? 'queued' : 'at the device',
    identity: { dev, cmdFlags: op, tgid, tid, comm, cgroup, error: 0, marks },
    bytes,
    sector,
  };
}

function marksOf(state: number): number {
  const ownerUnknown = (state & StateBit.ownerUnknown) === 0 ? 0 : IdentityMark.ownerUnknown;
  const indirect = (state & StateBit.indirect) === 0 ? 0 : IdentityMark.indirect;
  const isShared = (state & StateBit.severalWriters) !== 0;
  return ownerUnknown | indirect | (isShared ? IdentityMark.severalWriters : 0);
}
