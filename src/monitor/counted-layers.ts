import { NO_FILTER } from '../filter/filter.ts';
import type { Filter } from '../filter/filter.ts';
import { isSameFilter } from '../filter/language/edit.ts';
import { innerVolumes } from '../filter/match/inner-volumes.ts';
import type { Layer } from '../model/layer.ts';
import type { SourceInfo } from '../trace/event-source.ts';
import { CountedLayer } from './counted-layer.ts';

/** What is counted: layer, filter and highlight as they are now, compiled for each layer that is asked for. */
export class CountedLayers {
  private readonly byLayer = new Map<Layer, CountedLayer>();
  private highlight: Filter = NO_FILTER;
  private layersSeen = 0;
  private volumesSeen = 0;
  private innerSeen = '';

  /** `layer`: of all figures, and of pictures that do not name another one. */
  constructor(
    private readonly info: SourceInfo,
    private asked: Filter,
    public layer: Layer,
  ) {}

  get filter(): Filter {
    return this.asked;
  }

  setFilter(filter: Filter): void {
    if (isSameFilter(filter, this.asked)) return;
    this.asked = filter;
    this.byLayer.clear();
    this.noticeInnerVolumes();
  }

  setHighlight(highlight: Filter): void {
    if (isSameFilter(highlight, this.highlight)) return;
    this.highlight = highlight;
    for (const counted of this.byLayer.values()) counted.setHighlight(highlight);
  }

  in(layer: Layer): CountedLayer {
    const known = this.byLayer.get(layer);
    if (known !== undefined) return known;
    const counted = new CountedLayer(this.info, layer, this.asked, this.highlight);
    this.byLayer.set(layer, counted);
    return counted;
  }

  /** Call it when I/O has come. When the first of a second layer does, what counted everything has to tell layers apart. */
  noticeLayers(): void {
    const { layers, volumes } = this.info.identities;
    if (volumes.size !== this.volumesSeen) this.noticeInnerVolumes();
    if (layers.size === this.layersSeen) return;
    this.layersSeen = layers.size;
    if (layers.size > 1 || !layers.has(this.layer)) this.byLayer.clear();
  }

  /** When a volume turns out to lie below another one, sums that included it are counted again without it. */
  noticeInnerVolumes(): void {
    const { info } = this;
    this.volumesSeen = info.identities.volumes.size;
    const inner = [...innerVolumes(this.asked, info.identities, info)].sort().join();
    if (inner === this.innerSeen) return;
    this.innerSeen = inner;
    this.byLayer.clear();
  }
}
