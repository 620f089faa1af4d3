import type { PaintedColumn } from '../../paint/font.ts';

export const PAINT_METRICS = ['offset', 'size', 'latency'] as const;
export type PaintMetric = (typeof PAINT_METRICS)[number];

/** The checked options of `ioheat paint`. */
export interface PaintOptions {
  readonly text: string;
  readonly columns: readonly PaintedColumn[];
  readonly metric: PaintMetric;
  readonly target: string;
  readonly intervalNs: number;
  readonly writes: boolean;
  readonly newBytes: number;
  readonly overwrite: boolean;
}
