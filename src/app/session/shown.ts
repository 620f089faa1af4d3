import type { ShouldYield } from '../../base/time.ts';
import { Monitor } from '../../monitor/monitor.ts';
import type { Screen } from '../../terminal/screen.ts';
import { FramePainter } from '../../ui/frame/frame-painter.ts';
import { sceneStore } from '../../ui/frame/scene-store.ts';
import { Scene } from '../../ui/frame/scene.ts';
import type { SceneOptions } from '../../ui/frame/scene.ts';
import type { Action } from '../../view/action.ts';
import type { ProgramEffect } from '../../view/effect.ts';
import type { ViewStore } from '../../view/reduce/store.ts';
import type { ViewState } from '../../view/state.ts';
import { SessionFiles } from '../jobs/session-files.ts';
import type { OpenedSource } from '../open/opened-source.ts';
import type { Options } from '../options/options.ts';

/** A source, and what shows it. A tour shows one after the other. */
export interface Shown {
  readonly opened: ShownSource;
  readonly monitor: Monitor;
  readonly scene: Scene;
  readonly store: ViewStore;
  readonly painter: FramePainter;
  readonly files: SessionFiles;
}

export type ShownSource = Pick<
  OpenedSource,
  'source' | 'clock' | 'filter' | 'recordedOnly' | 'kernel' | 'next'
>;

/** What all sources of a session have in common. */
export interface ShowOptions {
  readonly screen: Screen;
  readonly look: SceneOptions;
  readonly options: Options;
  readonly playback: OpenedSource['playback'];
  readonly deadline: () => ShouldYield;
  /** Does what the program does beyond the view. */
  readonly run: (effect: ProgramEffect) => Action | undefined;
  readonly dispatch: (action: Action) => void;
  readonly repaint: () => void;
}

export function show(
  opened: ShownSource,
  view: ViewState,
  { screen, look, options, playback, deadline, run, dispatch, repaint }: ShowOptions,
): Shown {
  const { source, clock, recordedOnly, kernel } = opened;
  const { filter, layer } = view;
  const { historyBytes, recording } = options;
  const nowNs = (): number => clock.nowNs();
  const monitor = new Monitor({ source, historyBytes, filter, layer });
  const scene = new Scene(monitor, look, screen.width, screen.height);
  const store = sceneStore(scene, view, {
    ...{ nowNs, deadline, run },
    realMs: () => performance.now(),
    replay: () => playback?.extent(),
    changed: (before, after, action) => playback?.follow(before, after, action) ?? [],
  });
  const files = new SessionFiles({
    ...{ monitor, clock, recordedOnly, dispatch, nowNs, options: recording, unicode: look.unicode },
    view: () => store.state,
    picture: () => scene.picture(store.state, nowNs()),
  });
  const painter = new FramePainter(scene, screen, {
    ...{ recordedOnly, kernel, onLoaded: repaint },
    recording: () => files.shown,
  });
  return { opened, monitor, scene, store, painter, files };
}
