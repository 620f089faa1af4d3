import { allOf, term } from '../filter/filter.ts';
import type { Filter } from '../filter/filter.ts';
import { compileFilter, compileInLayer } from '../filter/match/match.ts';
import type { CompiledFilter } from '../filter/match/match.ts';
import { Verdict } from '../filter/verdict.ts';
import type { HeatmapDisk } from '../heatmap/time/heatmap-spec.ts';
import { layerOf, layersBeside } from '../model/layer.ts';
import type { DeviceInfo } from '../model/device.ts';
import type { Layer } from '../model/layer.ts';
import type { SourceInfo } from '../trace/event-source.ts';

/** The identities of a disk of which none matches, and what was known of disk and processes when they were judged. */
interface HiddenDisk {
  readonly identities: number[];
  known: DeviceInfo | undefined;
  processVersion: number | undefined;
}

/** Filter and highlight of one layer, compiled once. */
export class CountedLayer {
  readonly filter: CompiledFilter;
  /** Undefined without a condition: everything is in colour. */
  highlight: CompiledFilter | undefined;
  /** Numbers of the disks of the lanes that were shown last, from the top. */
  lanes: readonly number[] | undefined;
  private besideFilter: CompiledFilter | undefined;
  private readonly shownDevs = new Set<number>();
  private readonly hidden = new Map<number, HiddenDisk>();
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
    const { info, shownDevs } = this;
    const { identities } = info;
    this.judgeHidden();
    for (; this.identitiesSeen < identities.size; this.identitiesSeen++) {
      const identity = identities.get(this.identitiesSeen);
      const { dev } = identity;
      if (shownDevs.has(dev)) continue;
      if (this.passes(this.identitiesSeen)) this.show(dev);
      else if (layerOf(identity) === this.layer) this.hide(dev, this.identitiesSeen);
    }
    return [...shownDevs].map((dev) => info.device(dev) ?? { dev });
  }

  /** Names, mount points and facts about processes may become known only after the first I/O. */
  private judgeHidden(): void {
    const { info, hidden } = this;
    const processVersion = info.processes?.version;
    for (const [dev, disk] of hidden) {
      const known = info.device(dev);
      if (known === disk.known && processVersion === disk.processVersion) continue;
      Object.assign(disk, { known, processVersion });
      if (disk.identities.some((identity) => this.passes(identity))) this.show(dev);
    }
  }

  private passes(identity: number): boolean {
    return this.filter.judge(identity) !== Verdict.no;
  }

  private show(dev: number): void {
    this.hidden.delete(dev);
    this.shownDevs.add(dev);
  }

  private hide(dev: number, identity: number): void {
    const { info, hidden } = this;
    const disk = hidden.get(dev);
    if (disk !== undefined) disk.identities.push(identity);
    else
      hidden.set(dev, {
        identities: [identity],
        known: info.device(dev),
        processVersion: info.processes?.version,
      });
  }
}
