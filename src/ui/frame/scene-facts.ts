import { wallMs } from '../../base/time.ts';
import type { ShouldYield } from '../../base/time.ts';
import { stackLacks } from '../../raster/draw-stack.ts';
import type { Layer } from '../../model/layer.ts';
import type { Facts, ListSize, ReplayExtent, TableRows } from '../../view/facts.ts';
import type { ViewState } from '../../view/state.ts';
import type { PictureView } from '../picture/picture-view.ts';
import type { Scene } from './scene.ts';

/**
 * The facts of one moment, each read from the scene on first use: most keys need none of the lists.
 */
export class SceneFacts implements Facts {
  readonly startNs: number;
  private knownPicture: PictureView | undefined;
  private knownList: ListSize | undefined;
  private knownTable: TableRows | undefined;

  constructor(
    private readonly scene: Scene,
    private readonly view: ViewState,
    readonly nowNs: number,
    readonly realMs: number,
    readonly replay?: ReplayExtent,
    private readonly shouldYield?: ShouldYield,
  ) {
    this.startNs = scene.monitor.history.startNs;
  }

  get wallNowMs(): number {
    return wallMs(this.scene.monitor.source.info.clockBase, this.nowNs);
  }

  get layers(): readonly Layer[] {
    return [...this.scene.monitor.source.info.identities.layers];
  }

  get columns(): number {
    return Math.max(1, this.picture.columns);
  }

  get bins(): number {
    return Math.max(1, this.picture.bins);
  }

  readonly stackLacks = (maps: number): number => stackLacks(maps, this.scene.layout.pane.height);

  get list(): ListSize {
    return (this.knownList ??= this.scene.list(this.view, this.nowNs, this.shouldYield));
  }

  get table(): TableRows {
    return (this.knownTable ??= this.scene.tableRows(this.view, this.nowNs));
  }

  private get picture(): PictureView {
    return (this.knownPicture ??= this.scene.picture(this.view, this.nowNs));
  }
}
