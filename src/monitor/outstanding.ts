import type { Filter } from '../filter/filter.ts';
import type { History } from '../history/history.ts';
import type { Hanging, InFlightByDisk, ReportRange } from '../model/activity.ts';
import { deviceName } from '../model/device.ts';
import { inFlightAt } from '../model/in-flight-book.ts';
import { HANGING_AFTER_NS, inOneLayer, OLD_IN_FLIGHT_NS } from '../model/in-flight.ts';
import type { InFlightRow } from '../model/in-flight.ts';
import { layerOf } from '../model/layer.ts';
import { stalledShares } from '../model/pressure.ts';
import { isWithoutDisk } from '../model/stall.ts';
import type { Stall } from '../model/stall.ts';
import type {
  InFlightBefore,
  InFlightBeforeQuery,
  Within,
} from '../query/in-flight/in-flight-before.ts';
import { inFlightByDisk, inFlightRows } from '../query/in-flight/in-flight-rows.ts';
import type { EventSource } from '../trace/event-source.ts';

const UNKNOWN_BUSY = { busiest: undefined, allBusy: undefined };

/** What has not completed: I/O in flight, and tasks that wait for storage. All times are trace time. */
export class Outstanding {
  private inFlightBefore: InFlightBeforeQuery | undefined;

  /** `filter`: the present one. */
  constructor(
    readonly source: EventSource,
    readonly history: History,
    private readonly filter: () => Filter,
  ) {}

  /**
   * I/O that has been in flight for at least `minAgeNs` and may match the filter, the oldest first; undefined if the
   * source cannot know.
   */
  inFlight(minAgeNs?: number): readonly InFlightRow[] | undefined {
    const { source } = this;
    const found = source.inFlight?.(minAgeNs);
    return found && inFlightRows(found, this.filter(), source.info);
  }

  /** The same at an earlier time, among I/O that was in flight for `OLD_IN_FLIGHT_NS` then. */
  inFlightAt(atNs: number, minAgeNs = OLD_IN_FLIGHT_NS): readonly InFlightRow[] | undefined {
    const { source } = this;
    const { inFlight } = source.info;
    return (
      inFlight && inFlightRows(inFlightAt(inFlight, atNs, minAgeNs), this.filter(), source.info)
    );
  }

  /** Loads what `before` takes: only a list that a person opens does. */
  async load(): Promise<void> {
    ({ inFlightBefore: this.inFlightBefore } =
      await import('../query/in-flight/in-flight-before.ts'));
  }

  /** The same at an earlier time, of any age if it has completed since; undefined if it is unknown. */
  before(within: Within): InFlightBefore | undefined {
    if (this.inFlightBefore !== undefined) return this.inFlightBefore(this, within, this.filter());
    const atNs = within.startNs;
    const rows = this.inFlightAt(atNs);
    return rows && { atNs, rows, hasCompleted: false };
  }

  /** By device number, the I/O that may match the filter and was in flight for long at a time. */
  inFlightByDisk(atNs: number): InFlightByDisk | undefined {
    const { source } = this;
    const { inFlight } = source.info;
    return inFlight && inFlightByDisk(inFlightAt(inFlight, atNs), this.filter(), source.info);
  }

  /** Requests in flight for long: now, or at a time of an earlier trace. They are in no picture until they complete. */
  hanging(atNs: number): Hanging | undefined {
    const { source } = this;
    if (source.hanging === undefined) return this.hungAt(atNs);
    const found = source.hanging();
    return found && { ...found, disk: deviceName(source.info, found.dev) };
  }

  private hungAt(atNs: number): Hanging | undefined {
    const { info } = this.source;
    const held =
      info.inFlight === undefined ? [] : inFlightAt(info.inFlight, atNs, HANGING_AFTER_NS);
    const all = inOneLayer(held, ({ identity }) => layerOf(identity));
    const [oldest] = all;
    if (oldest === undefined) return undefined;
    const { ageNs, identity } = oldest;
    return { count: all.length, ageNs, disk: deviceName(info, identity.dev) };
  }

  /**
   * How long tasks of the whole machine waited for storage, whatever the filter, and why if no disk explains it;
   * undefined where it is unknown. A disk that holds I/O back explains it, too.
   */
  stall({ startNs, endNs, edgeNs = endNs, scope }: ReportRange): Stall | undefined {
    const { source, history } = this;
    const toNs = Math.min(endNs, edgeNs);
    const shares = stalledShares(source.info.pressure, startNs, toNs);
    if (shares === undefined) return undefined;
    const isHeld = (this.inFlightAt(toNs)?.length ?? 0) > 0;
    // The shares are those of the time in which pressure is known: not before the trace started.
    const fromNs = Math.max(startNs, history.observedFromNs);
    const busy = isHeld ? UNKNOWN_BUSY : this.busy(fromNs, toNs);
    const isNow = scope === 'recent';
    const cause =
      isNow && isWithoutDisk({ ...shares, ...busy }) ? source.stallCause?.() : undefined;
    return { ...shares, ...busy, cause };
  }

  /** Utilization of the disks; unknown unless that of each disk with I/O is known. */
  private busy(startNs: number, endNs: number): Pick<Stall, 'busiest' | 'allBusy'> {
    const { history, source } = this;
    let [busiest, sum] = [0, 0];
    for (const { dev } of source.info.devices()) {
      if (history.isUtilizationPartial(dev, startNs, endNs)) return UNKNOWN_BUSY;
      const utilization = history.utilization(dev, startNs, endNs) ?? 0;
      busiest = Math.max(busiest, utilization);
      sum += utilization;
    }
    return { busiest, allBusy: Math.min(1, sum) };
  }
}
