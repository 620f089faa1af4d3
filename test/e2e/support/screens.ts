import { setTimeout as sleep } from 'node:timers/promises';
import type { CellBlock } from '../../../src/base/cell-block.ts';
import { PrivateMode } from '../../terminal/emulator.ts';
import { Key } from '../pty.ts';
import type { PtySession } from '../pty.ts';
import { visibleDifferences } from '../../terminal/compare-cells.ts';

/** More than the time between two frames while I/O comes, and of a look at the source. */
const FRAME_MS = 350;
/** Figures are counted once a second. */
const FIGURES_MS = 1000;

/**
 * What the terminal showed when Ctrl-L was obeyed and what it shows when everything has been drawn
 * again. `keys` are typed right before; of their frames only the first is sure to have been shown by
 * then, because frames are left out while one is on its way.
 */
export async function drawAnew(
  session: PtySession,
  keys = '',
): Promise<{ before: CellBlock; after: CellBlock }> {
  let before: CellBlock | undefined;
  const watch = session.emulator.onClear(() => {
    before = session.cells();
  });
  session.type(keys + Key.ctrlL);
  await session.waitUntil(
    () => before !== undefined && isFrameComplete(session),
    'waiting for the redrawn screen',
  );
  watch.dispose();
  return { before: before!, after: session.cells() };
}

/** Whether no frame is being drawn. */
function isFrameComplete(session: PtySession): boolean {
  return !session.emulator.isModeSet(PrivateMode.synchronizedOutput);
}

/** Differences in the message of a test that fails. */
const SHOWN = 5;

/** What redrawing everything changes on a screen that stands still: nothing, if all is well. */
export async function leftovers(session: PtySession, keys = ''): Promise<string[]> {
  const { before, after } = await drawAnew(session, keys);
  return visibleDifferences(before, after).slice(0, SHOWN);
}

/** A frozen screen changes by itself once a second at most, and two looks are a few ms apart. */
const LOOKS = 4;

/**
 * What each of several looks finds. I/O that completes late changes even a frozen screen, now and
 * then between two pictures of it; what is left over is left over every time.
 */
export async function everyTime(look: () => Promise<string[]>): Promise<string[]> {
  let differences = await look();
  for (let looks = 1; differences.length > 0 && looks < LOOKS; looks++) differences = await look();
  return differences;
}

export function isFrozen(session: PtySession): boolean {
  return session.screen()[0]?.includes('PAUSED') === true;
}

/**
 * Stops the picture and the tables, so that two screens can be compared. The column in which the
 * picture was frozen still fills up to its end, `columnMs` at most, and is counted once more.
 */
export async function freeze(session: PtySession, columnMs: number): Promise<void> {
  session.type(' ');
  await session.waitUntil(
    () => isFrozen(session) && isCounted(session),
    'waiting for a frozen screen',
  );
  await sleep(Math.max(columnMs, FIGURES_MS) + FRAME_MS);
}

/** Whether a frame fills the terminal down to the figures at the end of its last line. */
export function isWhole(session: PtySession): boolean {
  const { columns } = session.emulator;
  const screen = session.screen();
  const last = screen.at(-1) ?? '';
  return (
    / lost \d\S*( \(\S+\))?$/.test(last) && last.length === columns - 1 && isFrameComplete(session)
  );
}

/** Whether all of such a frame's picture has been counted. */
export function isCounted(session: PtySession): boolean {
  return isWhole(session) && !session.shows(' loading ');
}

/** Waits until the number of frames given has been drawn from now on. */
export async function framesDrawn(session: PtySession, count: number): Promise<void> {
  const from = session.output.length;
  const drawn = (): number => session.output.slice(from).split('\x1b[?2026l').length - 1;
  await session.waitUntil(() => drawn() >= count, `waiting for ${count} frames`);
}
