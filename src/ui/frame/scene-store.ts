import { NS_PER_MS } from '../../base/time.ts';
import type { ShouldYield } from '../../base/time.ts';
import type { Action } from '../../view/action.ts';
import type { ProgramEffect } from '../../view/effect.ts';
import type { ReplayExtent } from '../../view/facts.ts';
import type { ViewState } from '../../view/state.ts';
import { ViewStore } from '../../view/reduce/store.ts';
import { compute } from './compute.ts';
import { SceneFacts } from './scene-facts.ts';
import type { Scene } from './scene.ts';

/** What a view needs in addition to the scene that shows it. */
export interface SceneWorld {
  /** Trace time of the present, in ns. */
  nowNs(): number;
  /** Monotonic time in ms; by default that of the trace, which is the same in a live one. */
  realMs?(): number;
  /** When a computation must stop, to be resumed later; without it, everything is computed at once. */
  deadline?(): ShouldYield;
  replay?(): ReplayExtent | undefined;
  run?(effect: ProgramEffect): Action | undefined;
  changed?(before: ViewState, after: ViewState, action: Action): readonly Action[];
}

/** The store of the view that a scene shows. The filter of the view is that of the monitor. */
export function sceneStore(scene: Scene, view: ViewState, world: SceneWorld): ViewStore {
  return new ViewStore(view, {
    facts: (state) => {
      const nowNs = world.nowNs();
      const realMs = world.realMs?.() ?? nowNs / NS_PER_MS;
      return new SceneFacts(scene, state, nowNs, realMs, world.replay?.(), world.deadline?.());
    },
    perform: (effect, state) =>
      effect.type === 'run'
        ? world.run?.(effect.what)
        : compute(scene, effect, state, world.nowNs(), world.deadline?.()),
    changed: (before, after, action) => {
      if (after.filter !== before.filter) scene.monitor.setFilter(after.filter);
      if (after.layer !== before.layer) scene.monitor.setLayer(after.layer);
      if (after.highlight !== before.highlight) scene.monitor.setHighlight(after.highlight);
      return world.changed?.(before, after, action) ?? [];
    },
  });
}
