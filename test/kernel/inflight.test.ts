import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StaleRequests } from '../../src/kernel/live/stale-requests.ts';
import { InflightReader, type InFlightRequest } from '../../src/kernel/live/inflight-reader.ts';
import {
  Dimension,
  Extent,
  FileId,
  FileKind,
  Inflight,
  IoFlag,
  Layer,
  StateBit,
  Via,
} from '../../src/kernel/abi/layout.ts';
import { OLD_IN_FLIGHT_NS } from '../../src/model/in-flight.ts';
import { Op } from '../../src/model/operation.ts';

const BASE = 10_000n * 10n ** 9n;

function slot(view: DataView, index: number, startNs: bigint, issueNs: bigint, tid: number): void {
  const at = index * Inflight.bytes;
  const { offsets } = Inflight;
  view.setBigUint64(at + offsets.name, 1n << 63n, true);
  view.setBigUint64(at + offsets.startNs, startNs && BASE + startNs, true);
  view.setBigUint64(at + offsets.issueNs, issueNs && BASE + issueNs, true);
  view.setUint32(at + offsets.tid, tid, true);
  view.setUint32(at + offsets.dev, 8, true);
  view.setUint32(at + offsets.state, Op.write, true);
  new Uint8Array(view.buffer).set(Buffer.from('writer'), at + offsets.comm);
}

describe('requests in flight', () => {
  const buffer = new ArrayBuffer(8 * Inflight.bytes);
  const view = new DataView(buffer);
  const extents = new ArrayBuffer(8 * Extent.bytes);
  const files = new ArrayBuffer(8 * FileId.bytes);
  const vias = new ArrayBuffer(8 * Via.bytes);
  const maps = { inflight: buffer, extents, files, vias };
  const reader = new InflightReader(maps, 8, BASE);

  it('requests in flight are listed from the oldest, with owner and times', () => {
    slot(view, 2, 5000n, 6000n, 22);
    slot(view, 5, 1000n, 0n, 55);
    slot(view, 7, 0n, 3000n, 77);
    const found = reader.list(10_000);
    expect(found.map(({ tid, ageNs }) => [tid, ageNs])).toEqual([
      [55, 9000],
      [77, 7000],
      [22, 5000],
    ]);
    expect(found[0]).toMatchObject({ comm: 'writer', dev: 8, op: Op.write, issueNs: undefined });
    expect(found[1]).toMatchObject({ startNs: undefined, issueNs: 3000 });
  });

  it('a request in flight has its place and size from its issue on', () => {
    const places = new DataView(extents);
    for (const index of [2, 5]) {
      places.setBigUint64(index * Extent.bytes + Extent.offsets.sector, 5_000_000_000n, true);
      places.setUint32(index * Extent.bytes + Extent.offsets.bytes, 8192, true);
    }
    const [waiting, sizeless, issued] = reader.list(10_000);
    expect(waiting).toMatchObject({ tid: 55, bytes: undefined, sector: undefined });
    expect(sizeless).toMatchObject({ tid: 77, bytes: undefined, sector: undefined });
    expect(issued).toMatchObject({ tid: 22, bytes: 8192, sector: 5_000_000_000 });
  });

  it('a request in flight has its file from its issue on', () => {
    const ids = new DataView(files);
    for (const index of [2, 5]) {
      const at = index * FileId.bytes;
      ids.setBigUint64(at + FileId.offsets.inode, 77n, true);
      ids.setUint32(at + FileId.offsets.fileDev, 9, true);
      ids.setUint32(at + FileId.offsets.generation, 3, true);
      ids.setBigUint64(at + FileId.offsets.offset, 1n << 40n, true);
      const kind = FileKind.regular << Dimension.fileKindShift;
      ids.setUint32(at + FileId.offsets.flags, kind | IoFlag.otherFiles, true);
    }
    const [waiting, , issued] = reader.list(10_000);
    expect(waiting?.file).toBeUndefined();
    const kind = FileKind.regular;
    const file = { kind, dev: 9, inode: 77, generation: 3, hasOtherFiles: true, offset: 2 ** 40 };
    expect(issued?.file).toEqual(file);
  });

  it('a place in the file that is unknown is not a number', () => {
    const at = 2 * FileId.bytes + FileId.offsets.offset;
    new DataView(files).setBigUint64(at, 2n ** 64n - 1n, true);
    expect(reader.list(10_000).at(-1)?.file?.offset).toBeUndefined();
  });

  it('a request in flight has the thread that submitted it only if another process wrote the data', () => {
    new Uint8Array(vias).set(Buffer.from('kworker/u8:1'), 2 * Via.bytes);
    expect(reader.list(10_000).at(-1)?.via).toBeUndefined();
    const state = Op.write | StateBit.hasVia;
    view.setUint32(2 * Inflight.bytes + Inflight.offsets.state, state, true);
    expect(reader.list(10_000).at(-1)?.via).toBe('kworker/u8:1');
    view.setUint32(2 * Inflight.bytes + Inflight.offsets.state, Op.write, true);
  });

  it('files and threads are unknown where the kernel programs do not see them', () => {
    const blind = new InflightReader({ inflight: buffer, extents }, 8, BASE);
    expect(blind.list(10_000).at(-1)).toMatchObject({ tid: 22, file: undefined, via: undefined });
  });

  it('a bio of a volume is in the layer of volumes', () => {
    const state = Op.write | (Layer.volumes << StateBit.layerShift);
    expect(reader.list(10_000).at(-1)?.layer).toBeUndefined();
    view.setUint32(2 * Inflight.bytes + Inflight.offsets.state, state, true);
    expect(reader.list(10_000).at(-1)?.layer).toBe('volumes');
    view.setUint32(2 * Inflight.bytes + Inflight.offsets.state, Op.write, true);
  });

  it('requests in flight can be listed by age', () => {
    expect(reader.list(10_000, 8000).map(({ tid }) => tid)).toEqual([55]);
  });

  it('a reader that looks ten times a second lists the same old requests as one that has just started', () => {
    const request = fc.record({
      slot: fc.nat(3),
      startMs: fc.nat(4000),
      lastsMs: fc.integer({ min: 1, max: 3000 }),
    });
    const byStart = (a: { startMs: number }, b: { startMs: number }): number =>
      a.startMs - b.startMs;
    fc.assert(
      fc.property(fc.array(request, { maxLength: 8 }), fc.nat(99), (requests, firstMs) => {
        const slots = new ArrayBuffer(4 * Inflight.bytes);
        const own = new DataView(slots);
        const ownMaps = { inflight: slots, extents: new ArrayBuffer(4 * Extent.bytes) };
        const lasting = new InflightReader(ownMaps, 4, BASE);
        for (let nowMs = firstMs; nowMs < 7000; nowMs += 100) {
          new Uint8Array(slots).fill(0);
          // A request that takes the slot of another one ends it.
          for (const { slot: index, startMs, lastsMs } of requests.toSorted(byStart)) {
            if (startMs > nowMs) continue;
            const isThere = nowMs < startMs + lastsMs;
            slot(own, index, isThere ? BigInt(startMs * 1e6 + 1) : 0n, 0n, startMs + 1);
          }
          for (const minAgeNs of [OLD_IN_FLIGHT_NS, 3 * OLD_IN_FLIGHT_NS]) {
            const fresh = new InflightReader(ownMaps, 4, BASE);
            expect(lasting.list(nowMs * 1e6, minAgeNs)).toEqual(fresh.list(nowMs * 1e6, minAgeNs));
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  /** A reader of one slot, whose request another processor changes while it is read. */
  function interrupted(change: (view: DataView, times: number) => void): InflightReader {
    const slots = new ArrayBuffer(Inflight.bytes);
    const own = new DataView(slots);
    let times = 0;
    slot(own, 0, 1000n, 2000n, 11);
    const changing = {
      inflight: slots,
      extents: new ArrayBuffer(Extent.bytes),
      get files() {
        change(own, times++);
        return new ArrayBuffer(FileId.bytes);
      },
    };
    return new InflightReader(changing, 1, BASE);
  }

  it('a request whose slot was used again while it was read is read again', () => {
    const reader = interrupted((own, times) => {
      if (times === 0) slot(own, 0, 3000n, 4000n, 12);
    });
    const [found, ...others] = reader.list(10_000);
    expect(found).toMatchObject({ tid: 12, startNs: 3000, issueNs: 4000 });
    expect(others).toEqual([]);
  });

  it('a request that ends while it is read is not listed', () => {
    const reader = interrupted((own) => {
      own.setBigUint64(Inflight.offsets.name, 0n, true);
    });
    expect(reader.list(10_000)).toEqual([]);
  });

  it('a slot that changes whenever it is read is not listed', () => {
    const reader = interrupted((own, times) => {
      slot(own, 0, 3000n, 4000n, 12 + times);
    });
    expect(reader.list(10_000)).toEqual([]);
  });

  it('a request is listed when it has a time, which is written last', () => {
    const slots = new ArrayBuffer(Inflight.bytes);
    slot(new DataView(slots), 0, 0n, 0n, 11);
    const maps = { inflight: slots, extents: new ArrayBuffer(Extent.bytes) };
    expect(new InflightReader(maps, 1, BASE).list(10_000)).toEqual([]);
  });
});

describe('stale requests', () => {
  let sys: string;
  beforeEach(() => {
    sys = mkdtempSync(join(tmpdir(), 'ioheat-sys-'));
  });
  afterEach(() => {
    rmSync(sys, { recursive: true });
  });

  function disk(name: string, inflight: number, iostats = '1', completed = 1): void {
    mkdirSync(join(sys, name, 'queue'), { recursive: true });
    writeFileSync(
      join(sys, name, 'stat'),
      `${completed} 0 8 0 2 0 8 0 ${inflight} 5 5 0 0 0 0 0 0\n`,
    );
    writeFileSync(join(sys, name, 'queue/iostats'), `${iostats}\n`);
  }
  const request: InFlightRequest = {
    slot: 0,
    dev: 8,
    layer: undefined,
    op: Op.read,
    tgid: 1,
    tid: 1,
    comm: 'x',
    cgroup: 0,
    marks: 0,
    startNs: 0,
    issueNs: 1,
    sinceNs: 0,
    ageNs: 100,
    bytes: 4096,
    sector: 0,
    via: undefined,
    file: undefined,
  };
  let inFlight: readonly InFlightRequest[] = [];
  const stale = (...requests: InFlightRequest[]) => staleWhere(false, requests);
  const finder = (countsWaiting: boolean, list = () => inFlight) =>
    new StaleRequests({ list, diskFolder: () => 'sda', countsWaiting, sysBlock: sys });
  const staleWhere = (countsWaiting: boolean, requests: readonly InFlightRequest[]) => {
    inFlight = requests;
    return [...finder(countsWaiting).among(requests)];
  };

  it('all requests of a disk are stale when the kernel counts nothing in flight on it', () => {
    disk('sda', 0);
    expect(stale(request)).toEqual([request]);
  });

  it('no request is stale where the kernel does not count, or cannot be asked', () => {
    disk('sda', 0, '0');
    expect(stale(request)).toEqual([]);
    rmSync(join(sys, 'sda'), { recursive: true });
    expect(stale(request)).toEqual([]);
  });

  it('requests that the kernel does not count are never stale', () => {
    disk('sda', 0);
    const waiting = { ...request, issueNs: undefined };
    const flush = { ...request, op: Op.flush };
    expect(stale(waiting, flush)).toEqual([]);
    const passthrough = { ...request, op: Op.driverIn };
    expect(staleWhere(true, [passthrough])).toEqual([]);
  });

  it('flushes and waiting requests are stale only where the kernel counts waiting requests', () => {
    const waiting = { ...request, op: Op.write, issueNs: undefined };
    const flush = { ...request, slot: 1, op: Op.flush };
    disk('sda', 0);
    expect(staleWhere(true, [waiting, flush])).toEqual([waiting, flush]);
    disk('sda', 1);
    expect(staleWhere(true, [waiting, flush])).toEqual([]);
  });

  it('on a busy disk the oldest requests are stale, as many as the kernel does not count', () => {
    const aged = (slot: number, ageNs: number) => ({ ...request, slot, ageNs });
    const [oldest, older, old, young] = [aged(1, 9e9), aged(2, 5e9), aged(3, 2e9), aged(4, 1e6)];
    disk('sda', 2);
    expect(stale(oldest, older, old, young)).toEqual([oldest, older]);
    disk('sda', 1);
    expect(stale(old, young)).toEqual([old]);
    // A request that was submitted just now is perhaps not counted yet.
    expect(stale(young, { ...young, slot: 5 })).toEqual([]);
    disk('sda', 4);
    expect(stale(oldest, older, old, young)).toEqual([]);
  });

  it('on a busy disk a flush is stale when the request that waits for it has ended', () => {
    const waiting = { ...request, op: Op.write, issueNs: undefined, ageNs: 9e9 };
    const flush = { ...request, slot: 1, op: Op.flush, ageNs: 9e9 };
    const next = { ...waiting, slot: 2, startNs: 5, ageNs: 1e6 };
    disk('sda', 2);
    expect(staleWhere(true, [waiting, flush, next])).toEqual([]);
    disk('sda', 1);
    expect(staleWhere(true, [flush, next])).toEqual([flush]);
  });

  it('what was found stale is so until the request is used again', () => {
    let isBusy = false;
    let completed = 2;
    const stales = finder(false, () => {
      if (isBusy) disk('sda', 0, '1', completed++);
      return inFlight;
    });
    disk('sda', 0);
    inFlight = [request];
    expect([...stales.among(inFlight)]).toEqual([request]);
    isBusy = true;
    expect([...stales.among(inFlight)]).toEqual([request]);
    const nextUse = { ...request, startNs: 7 };
    inFlight = [nextUse];
    expect([...stales.among(inFlight)]).toEqual([]);
  });

  it('a request that was stale on an idle disk is not looked up again', () => {
    const stales = finder(false);
    disk('sda', 0);
    inFlight = [request];
    expect([...stales.among(inFlight)]).toEqual([request]);
    rmSync(join(sys, 'sda'), { recursive: true });
    expect([...stales.among(inFlight)]).toEqual([request]);
  });

  it('a request that seemed stale on a busy disk is looked up again', () => {
    const stales = finder(false);
    const old = { ...request, slot: 1, ageNs: 9e9 };
    const young = { ...request, ageNs: 1e6 };
    inFlight = [old, young];
    disk('sda', 1);
    expect([...stales.among(inFlight)]).toEqual([old]);
    disk('sda', 2);
    expect([...stales.among(inFlight)]).toEqual([]);
  });

  describe('of a volume', () => {
    const bio: InFlightRequest = { ...request, layer: 'volumes', ageNs: 9e9 };
    const young = { ...bio, slot: 1, ageNs: 1e6 };
    const flush = { ...bio, slot: 2, op: Op.flush };
    const setting = (file: string, value: string): void => {
      mkdirSync(dirname(join(sys, 'sda', file)), { recursive: true });
      writeFileSync(join(sys, 'sda', file), `${value}\n`);
    };

    it('stale requests of a volume are the old ones, but flushes, when the kernel counts nothing in flight on it', () => {
      disk('sda', 0);
      expect(stale(flush, bio, young)).toEqual([bio]);
      disk('sda', 1);
      expect(stale(flush, bio, { ...bio, slot: 3 }, young)).toEqual([]);
    });

    it.each([
      ['a suspended one', 'dm/suspended', '1', '0'],
      ['RAID that writes its own state first', 'md/array_state', 'write-pending', 'clean'],
      ['RAID that is checked', 'md/sync_action', 'check', 'idle'],
    ])(
      'no request of %s is stale, which holds back what is not counted',
      (_, file, holds, rests) => {
        disk('sda', 0);
        setting(file, holds);
        expect(stale(bio)).toEqual([]);
        setting(file, rests);
        expect(stale(bio)).toEqual([bio]);
      },
    );

    it('stale requests of a volume are all of RAID 0 whose I/O the kernel does not count, because their end may be unseen', () => {
      disk('sda', 0, '0');
      expect(stale(bio, flush)).toEqual([]);
      setting('md/level', 'raid1');
      expect(stale(bio, flush)).toEqual([]);
      setting('md/level', 'raid0');
      expect(stale(bio, flush)).toEqual([bio, flush]);
    });
  });

  it('a request that ends meanwhile is not stale', () => {
    disk('sda', 0);
    inFlight = [];
    expect([...finder(false).among([request])]).toEqual([]);
  });
});
