import { allOf, term } from '../filter/filter.ts';
import type { Filter } from '../filter/filter.ts';
import { compileFilter, compileInLayer } from '../filter/match/match.ts';
import type { CompiledFilter } from '../filter/match/match.ts';
import { Verdict } from '../filter/verdict.ts';
import type { HeatmapDisk } from '../heatmap/time/heatmap-spec.ts';
import { layersBeside } from '../model/layer.ts';
import type { Layer } from '../model/layer.ts';
import type { SourceInfo } from '../trace/event-source.ts';

/** Filter and highlight of one layer, compiled once. */
export class CountedLayer {
  readonly filter: CompiledFilter;
  /** Undefined without a condition: everything is in colour. */
  highlight: CompiledFilter | undefined;
  private besideFilter: CompiledFilter | undefined;
  private readonly shownDevs = new Set<number>();
  private identitiesSeen = 0;

  constructor(
    private readonly info: SourceInfo,
    private readonly layer: Layer,
    private readonly asked: Filter,
    highlight: Filter,
  ) {
    this.filter = this.compile(asked);
    this.setHighlight(highlight);
  }

  setHighlight(highlight: Filter): void {
    const isNone = highlight.kind === 'everything';
    const asked = allOf([this.filter.filter, highlight]);
    this.highlight = isNone ? undefined : this.compile(asked);
  }

  /** Compiles a filter on a part of the I/O that the current filter matches. */
  compile(filter: Filter): CompiledFilter {
    const { info, layer, asked } = this;
    return compileInLayer(filter, layer, info.identities, info, asked);
  }

  /** The I/O of neighbouring layers, whose devices are shown in the same tree; undefined where there are none. */
  get beside(): CompiledFilter | undefined {
    const layers = layersBeside(this.layer);
    if (layers.length === 0) return undefined;
    const { info, asked } = this;
    const around = allOf([term('layer', '=', ...layers), asked]);
    this.besideFilter ??= compileFilter(around, info.identities, info);
    return this.besideFilter;
  }

  /** Disks with I/O that may match the filter, because a large idle disk must not stretch the axis. */
  disks(): HeatmapDisk[] {
    const { info, filter, shownDevs } = this;
    const { identities } = info;
    for (; this.identitiesSeen < identities.size; this.identitiesSeen++) {
      const passes = filter.judge(this.identitiesSeen) !== Verdict.no;
      if (passes) shownDevs.add(identities.get(this.identitiesSeen).dev);
    }
    return [...shownDevs].map((dev) => info.device(dev) ?? { dev });
  }
}
