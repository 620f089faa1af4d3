import { hasLanes } from '../../model/metric.ts';
import type { Playback } from '../../model/playback.ts';
import { actionOf } from '../../view/keys/find-binding.ts';
import type { Mode, ViewState } from '../../view/state.ts';

/** A key worth knowing now. */
export interface Hint {
  /** As the key decoder names it; shown only where it means something. Undefined for a hint about several keys. */
  readonly key: string | undefined;
  readonly text: string;
  /** The text if there is little room. */
  readonly short?: string;
}

type HintedView = Pick<ViewState, 'mode' | 'focus' | 'frozenAtNs' | 'anchor' | 'layout'> & {
  /** The state of a replay; absent where there is none. */
  readonly playback?: Pick<Playback, 'state'> | undefined;
  /** Whether there is no earlier time to go to. */
  readonly isWhole?: boolean | undefined;
  /** Whether there are further patterns to show. */
  readonly isDemo?: boolean;
  /** Whether there is I/O of another layer than the one that is shown. */
  readonly hasLayers?: boolean;
  /** Whether there are several maps above each other, which takes a layout and room. */
  readonly hasMaps?: boolean;
};

const GAP = '  ';

/** The keys to press next, the most important last. Empty if a dialog has its own. */
export function hintsFor(view: HintedView): readonly Hint[] {
  return HINTS[view.mode](view).filter(
    ({ key }) => key === undefined || actionOf(view.mode, key) !== undefined,
  );
}

/** Hints as one text, ever shorter: the first hints are dropped first. */
export function hintForms(hints: readonly Hint[]): readonly string[] {
  return hints.map((_, first) =>
    hints
      .slice(first)
      .map(({ text }) => text)
      .join(GAP),
  );
}

/** The hint about time. A stream is followed like live tracing, until it ends. */
function timeHints({ frozenAtNs, playback, isWhole = false }: HintedView): readonly Hint[] {
  const state = playback?.state ?? 'following';
  if (state === 'ended') return isWhole ? [] : [{ key: 'home', text: 'Home: start' }];
  const stop = state === 'following' ? 'freeze' : 'pause';
  const text = `Space: ${frozenAtNs === undefined ? stop : 'resume'}`;
  return [{ key: 'space', text, short: 'Space' }];
}

const HINTS: Record<Mode, (view: HintedView) => readonly Hint[]> = {
  main: ({ focus, isDemo = false, hasLayers = false, ...time }) => [
    { key: 'V', text: 'V: layout' },
    { key: 'v', text: 'v: cursor' },
    { key: '/', text: '/: filter' },
    { key: 'tab', text: focus === 'processes' ? 'Tab: disks' : 'Tab: processes' },
    ...timeHints({ focus, ...time }),
    ...(hasLayers ? [{ key: 'L', text: 'L: layer' }] : []),
    ...(isDemo ? [{ key: ']', text: ']: next pattern', short: ']: next' }] : []),
    { key: 'q', text: 'q: quit' },
    { key: '?', text: '?: help' },
  ],
  help: () => [],
  pick: () => [],
  toggles: () => [
    { key: undefined, text: 'capital letter: highlight' },
    { key: 'escape', text: 'Esc: close' },
  ],
  filter: () => [
    { key: 'tab', text: 'Tab: complete' },
    { key: 'enter', text: 'Enter: apply' },
    { key: 'escape', text: 'Esc: cancel' },
  ],
  goto: ({ playback }) => [
    { key: 'enter', text: playback === undefined ? '14:02, 3m ago' : '14:02, 3m ago, 50%' },
    { key: 'enter', text: 'Enter: go' },
    { key: 'escape', text: 'Esc: cancel' },
  ],
  cursor: ({ anchor, layout, hasMaps = false }) => [
    { key: 'left', text: anchor === undefined ? 'arrows: move' : 'arrows: resize' },
    // Lanes have no axis to zoom.
    ...(hasLanes(layout) ? [] : [{ key: 'z', text: 'z: zoom' }]),
    ...(hasMaps && anchor === undefined ? [{ key: 'tab', text: 'Tab: next map' }] : []),
    { key: 'escape', text: anchor === undefined ? 'Esc: back' : 'Esc: clear box' },
    // While there is a box, v does the same as Esc.
    ...(anchor === undefined ? [{ key: 'v', text: 'v: box' }] : []),
    { key: 'enter', text: 'Enter: open' },
  ],
  export: () => [
    { key: 'enter', text: '.png .svg .html .txt, or I/Os: .csv .ndjson .parquet' },
    { key: 'enter', text: 'Enter: write' },
    { key: 'escape', text: 'Esc: cancel' },
  ],
  record: () => [
    { key: 'enter', text: 'Enter: record' },
    { key: 'escape', text: 'Esc: cancel' },
  ],
  save: () => [
    { key: 'enter', text: 'Enter: save' },
    { key: 'escape', text: 'Esc: cancel' },
  ],
  note: () => [
    { key: 'enter', text: 'empty: no note' },
    { key: 'enter', text: 'Enter: keep' },
    { key: 'escape', text: 'Esc: cancel' },
  ],
  columns: () => [],
  card: () => [],
  actions: () => [],
  inFlight: () => [],
  singles: () => [],
  explain: () => [],
  find: () => [
    { key: 'down', text: 'PID, name, disk, cgroup or file' },
    { key: 'enter', text: 'Enter: keep' },
    { key: 'escape', text: 'Esc: clear' },
  ],
  drillDown: () => [
    { key: 'down', text: 'Up Down: scroll' },
    { key: 'enter', text: 'Enter: filter by this box' },
    { key: 'escape', text: 'Esc: back' },
  ],
  trend: (view) => [
    { key: '-', text: '+ -: finer, coarser' },
    { key: 'left', text: 'arrows: time' },
    ...timeHints(view),
    { key: 'escape', text: 'Esc: back' },
    { key: '?', text: '?: help' },
  ],
};
