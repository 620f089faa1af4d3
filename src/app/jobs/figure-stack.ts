import { compileInLayer } from '../../filter/match/match.ts';
import type { Filter } from '../../filter/filter.ts';
import type { StackedSpec } from '../../export/picture/figure.ts';
import type { IdentityNames } from '../../model/identity-names.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import { activeMap, mapTitle, stackedMaps } from '../../view/stack.ts';
import type { ViewState } from '../../view/state.ts';

type StackView = Pick<ViewState, 'layout' | 'layer' | 'metric' | 'latency' | 'traceLatency'>;

/** Whether an exported picture has the layout of the screen. */
export function isExportedAsShown({ layout }: Pick<ViewState, 'layout'>): boolean {
  return layout === 'single' || layout === 'layers';
}

/** The maps of an exported picture in the layout of layers; other layouts are exported as one map. */
export function figureStack(
  view: StackView,
  filter: Filter,
  info: IdentityNames & { readonly identities: IdentityTable },
): readonly StackedSpec[] {
  if (view.layout !== 'layers') return [];
  const { identities } = info;
  const maps = stackedMaps(view, { layers: [...identities.layers], stackLacks: () => 0 }) ?? [];
  const active = activeMap(maps, view);
  return maps.map((map, i) => ({
    title: mapTitle(view.layout, map),
    metric: map.metric,
    filter: compileInLayer(filter, map.layer, identities, info),
    isActive: i === active,
  }));
}
