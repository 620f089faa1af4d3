/** One resolution of the series; the newest `capacity` cells of `widthNs` are kept. */
export interface BusyResolution {
  readonly widthNs: number;
  readonly capacity: number;
}

/** 100 ms for ten minutes, seconds for six hours, minutes for a week: 170 KB per disk. */
const BUSY_RESOLUTIONS: readonly BusyResolution[] = [
  { widthNs: 100e6, capacity: 6_000 },
  { widthNs: 1e9, capacity: 21_600 },
  { widthNs: 60e9, capacity: 10_080 },
];

/** Holds cells [first, end). The index of a cell is its number since time 0, modulo the capacity. */
interface Ring {
  readonly widthNs: number;
  readonly capacity: number;
  readonly ns: Float64Array;
  /** Number of the oldest cell kept, and of the one after the newest. */
  first: number;
  end: number;
}

/**
 * How long one disk was busy, by stretch of time. Recent time is in narrow cells; a cell that is removed is added to
 * the wider one that contains it, so totals over whole cells stay exact.
 */
export class BusySeries {
  private readonly rings: readonly Ring[];
  /** The cell that was changed last: most additions go to the same cell. */
  private cellStartNs = 0;
  private cellEndNs = 0;
  private cellIndex = 0;

  constructor(resolutions: readonly BusyResolution[] = BUSY_RESOLUTIONS) {
    this.rings = resolutions.map(({ widthNs, capacity }) => ({
      widthNs,
      capacity,
      ns: new Float64Array(capacity),
      first: 0,
      end: 0,
    }));
  }

  get memoryBytes(): number {
    return this.rings.reduce((sum, ring) => sum + ring.ns.byteLength, 0);
  }

  /** Width of the finest cells, ns. */
  get cellNs(): number {
    return this.rings[0]!.widthNs;
  }

  /** Adds busy time [fromNs, toNs), which must not have been busy before. */
  add(fromNs: number, toNs: number): void {
    if (fromNs >= this.cellStartNs && toNs <= this.cellEndNs) {
      this.rings[0]!.ns[this.cellIndex]! += toNs - fromNs;
    } else this.addShare(fromNs, toNs, 1);
  }

  /** Adds a part of the time, from 0 to 1, spread evenly. */
  addShare(fromNs: number, toNs: number, share: number): void {
    const { widthNs, ns, capacity } = this.rings[0]!;
    let at = fromNs;
    for (let cell = Math.floor(fromNs / widthNs); at < toNs; cell++) {
      this.cellStartNs = cell * widthNs;
      this.cellEndNs = this.cellStartNs + widthNs;
      const edge = Math.min(toNs, this.cellEndNs);
      if (this.hold(0, cell)) {
        this.cellIndex = indexOf(cell, capacity);
        ns[this.cellIndex]! += (edge - at) * share;
      } else {
        this.addToWider(1, this.cellStartNs, (edge - at) * share);
        this.cellEndNs = this.cellStartNs;
      }
      at = edge;
    }
  }

  /** Marks the whole cells of the finest resolution in [fromNs, toNs) as 100 % busy. */
  fill(fromNs: number, toNs: number): void {
    const { widthNs, ns, capacity } = this.rings[0]!;
    const end = Math.floor(toNs / widthNs);
    for (let cell = end - 1; cell >= Math.ceil(fromNs / widthNs); cell--) {
      if (!this.hold(0, cell)) return;
      ns[indexOf(cell, capacity)] = widthNs;
    }
  }

  /** Extends a ring to include a cell, in either direction; false when the cell is too old for it. */
  private hold(resolution: number, cell: number): boolean {
    const ring = this.rings[resolution]!;
    const { widthNs, ns, capacity } = ring;
    if (ring.end === ring.first) ring.first = ring.end = cell;
    if (cell < ring.first) {
      if (ring.end - cell > capacity) return false;
      ring.first = cell;
    }
    if (cell < ring.end) return true;
    const first = Math.max(ring.first, cell + 1 - capacity);
    for (let old = ring.first; old < Math.min(first, ring.end); old++) {
      const index = indexOf(old, capacity);
      if (ns[index]! > 0) this.addToWider(resolution + 1, old * widthNs, ns[index]!);
      ns[index] = 0;
    }
    ring.first = first;
    ring.end = cell + 1;
    return true;
  }

  /** Adds a removed cell to the next wider ring. Time before the start of the widest ring is forgotten. */
  private addToWider(resolution: number, atNs: number, busyNs: number): void {
    const ring = this.rings[resolution];
    if (ring === undefined) return;
    const cell = Math.floor(atNs / ring.widthNs);
    if (this.hold(resolution, cell)) ring.ns[indexOf(cell, ring.capacity)]! += busyNs;
    else this.addToWider(resolution + 1, atNs, busyNs);
  }

  /** Busy ns within [fromNs, toNs); a cell that is only partly inside counts in proportion. */
  sum(fromNs: number, toNs: number): number {
    let sum = 0;
    for (const ring of this.rings) {
      const { widthNs, ns, capacity } = ring;
      const last = Math.min(ring.end, Math.ceil(toNs / widthNs));
      for (let cell = Math.max(ring.first, Math.floor(fromNs / widthNs)); cell < last; cell++) {
        const startNs = cell * widthNs;
        const overlap = Math.min(toNs, startNs + widthNs) - Math.max(fromNs, startNs);
        sum += (ns[indexOf(cell, capacity)]! * overlap) / widthNs;
      }
    }
    return sum;
  }
}

function indexOf(cell: number, capacity: number): number {
  const rest = cell % capacity;
  return rest < 0 ? rest + capacity : rest;
}
