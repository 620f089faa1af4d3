import type { Layer } from '../../model/layer.ts';
import { withFilterAndLayer } from '../../view/reduce/layers.ts';
import { DEFAULT_VIEW } from '../../view/state.ts';
import type { Options } from '../options/options.ts';

type Asked = Pick<Options, 'waits' | 'calls'>;

/** The layers of programs that options ask for by name. */
export function layersAsked({ waits, calls }: Asked): readonly Layer[] {
  return [...(waits ? (['waits'] as const) : []), ...(calls ? (['calls'] as const) : [])];
}

/** All layers of programs to trace, including those that the filter or the first view needs. */
export function layersOfPrograms(options: Asked & Pick<Options, 'view' | 'filter'>): Layer[] {
  const asked = layersAsked(options);
  const { layer } = withFilterAndLayer({ ...DEFAULT_VIEW, ...options.view }, options.filter, asked);
  return [...new Set([...asked, layer])];
}
