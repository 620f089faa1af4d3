import type { ShouldYield } from '../../base/time.ts';
import type { HeldRows } from '../event-ring.ts';
import type { History } from '../history.ts';
import { MAX_OPEN } from '../slices/slice-store.ts';
import type { SliceView } from '../slices/slice-view.ts';
import type { Visitor } from './visitor.ts';

/** Scanning a slice takes about as long as this many rows. */
const ROWS_OF_SLICE = 4_096;

/** Rows visited between calls of `ShouldYield`: a millisecond or two. */
const STEP_ROWS = 16_384;

/** After this many restarts, because the history forgets faster than it is scanned, it is scanned in one go. */
const MOST_ATTEMPTS = 3;

/**
 * Scans a snapshot of the history, from the oldest to the newest, in turns. I/O that arrives later is not visited,
 * and I/O that moves from rows into aggregates meanwhile is visited as it was.
 */
export class ForwardScan<V extends Visitor> {
  private visitor: V;
  private slices: SliceView[] = [];
  private rows: HeldRows[] = [];
  /** Amount to visit and amount visited so far, in rows. */
  private size = 0;
  private visited = 0;
  private at = 0;
  private row = 0;
  private rowsFromNs = 0;
  private attempts = 0;

  /** `begin` creates a visitor; it is called again when the scan has to restart. */
  constructor(
    private readonly history: History,
    private readonly startNs: number,
    private readonly endNs: number,
    private readonly begin: () => V,
  ) {
    this.visitor = this.restart();
  }

  /** Share visited so far, 0 to 1. */
  get share(): number {
    return this.size === 0 ? 1 : this.visited / this.size;
  }

  /** Continues until the deadline; returns the visitor when the scan is complete. */
  advance(shouldYield?: ShouldYield): V | undefined {
    const isPatient = this.attempts < MOST_ATTEMPTS;
    do {
      if (!this.step()) return this.visitor;
    } while (!isPatient || shouldYield?.() !== true);
    return undefined;
  }

  private restart(): V {
    const { rowsFromNs, chunks, slices } = this.history.query(this.startNs, this.endNs);
    this.visitor = this.begin();
    this.rowsFromNs = rowsFromNs;
    this.slices = [...slices];
    this.rows = [...chunks];
    const inRows = this.rows.reduce((sum, { from, to }) => sum + to - from, 0);
    this.size = inRows + this.slices.length * ROWS_OF_SLICE;
    this.visited = this.at = this.row = 0;
    this.attempts++;
    // Open slices change when more I/O arrives, so they are visited first. Closed ones are replaced, never changed.
    for (let open = 0; open < MAX_OPEN; open++) this.visitSlice();
    return this.visitor;
  }

  /** Visits the next part; false at the end. */
  private step(): boolean {
    if (this.visitSlice()) return true;
    const held = this.rows[this.at];
    if (held === undefined) return false;
    if (held.isGone()) {
      this.restart();
      return true;
    }
    const from = Math.max(held.from, this.row);
    const to = Math.min(held.to, from + STEP_ROWS);
    this.visitor.addRows({ ...held, from, to }, this.rowsFromNs, this.endNs);
    this.visited += to - from;
    this.row = to < held.to ? to : 0;
    if (to === held.to) this.at++;
    return true;
  }

  private visitSlice(): boolean {
    const slice = this.slices.pop();
    if (slice === undefined) return false;
    this.visitor.addSlice(slice, this.startNs, this.endNs);
    this.visited += ROWS_OF_SLICE;
    return true;
  }
}
