import type { SingleIo } from '../../query/slowest/single-io.ts';
import type { PointedSingle } from '../../view/state.ts';
import { ioRowAt, singlesWindow } from '../dialogs/list-window.ts';
import type { FrameState } from './frame-state.ts';
import type { Scene } from './scene.ts';

/**
 * The row at line `y` of the screen in the list of single I/Os as it was painted. I/O that completed before may have
 * come since, so the row is found again in the list up to the same time.
 */
export function pointedSingle(
  { layout: { pane }, monitor }: Pick<Scene, 'layout' | 'monitor'>,
  { view, singles }: Pick<FrameState, 'view' | 'singles'>,
  y: number,
): PointedSingle | undefined {
  if (singles === undefined) return undefined;
  const { ios, endNs } = singles;
  const window = singlesWindow(view, ios.length, pane.height);
  const at = ioRowAt(window, ios.length, y - pane.y);
  if (at === undefined) return undefined;
  const now = monitor.latest(endNs).ios;
  const row = now.findLastIndex((io) => isSame(io, ios[at.row]!));
  return row < 0 ? undefined : { endNs, back: now.length - 1 - row, line: at.line };
}

function isSame(one: SingleIo, other: SingleIo): boolean {
  const keys = ['completeNs', 'tid', 'dev', 'sector', 'totalNs'] as const;
  return keys.every((key) => one[key] === other[key]);
}
