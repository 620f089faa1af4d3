/** Slices of this age or older have this width. Both are in units of the finest slice. */
export interface CoarseningStep {
  readonly width: number;
  /** Slices whose end is at least this old have at least this width. */
  readonly age: number;
}

/**
 * With slices of one second: one second for ten minutes, 10 s for two hours, a minute for a day, ten minutes for a
 * week, then an hour. Each width is a multiple of the previous one, so slices nest. When memory runs short, the steps
 * are taken earlier.
 */
export const COARSENING: readonly CoarseningStep[] = [
  { width: 10, age: 600 },
  { width: 60, age: 7_200 },
  { width: 600, age: 86_400 },
  { width: 3_600, age: 604_800 },
];
