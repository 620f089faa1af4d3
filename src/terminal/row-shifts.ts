import type { Shift } from './scroll.ts';

/** More pictures side by side mean a changing layout, where shifting does not pay. */
const MAX_PER_ROW = 8;

/** Shifts of the picture that rows of the terminal have not made yet. */
export class RowShifts {
  private readonly rows = new Map<number, readonly Shift[]>();

  get isEmpty(): boolean {
    return this.rows.size === 0;
  }

  add(shifts: readonly Shift[]): void {
    for (const { rect, columns } of shifts) {
      for (let y = rect.y; y < rect.y + rect.height; y++)
        this.addTo(y, { rect: { ...rect, y, height: 1 }, columns });
    }
  }

  /** Takes the shifts of a row, which makes them now. */
  take(y: number): readonly Shift[] {
    const shifts = this.rows.get(y) ?? [];
    this.rows.delete(y);
    return shifts;
  }

  clear(): void {
    this.rows.clear();
  }

  private addTo(y: number, added: Shift): void {
    const before = this.rows.get(y) ?? [];
    const same = before.find(
      ({ rect }) => rect.x === added.rect.x && rect.width === added.rect.width,
    );
    const others = before.filter((shift) => shift !== same);
    const columns = added.columns + (same?.columns ?? 0);
    const sum =
      Math.abs(columns) < added.rect.width && columns !== 0 ? [{ ...added, columns }] : [];
    this.rows.set(y, [...others, ...sum].slice(0, MAX_PER_ROW));
  }
}
