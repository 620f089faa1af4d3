import { deviceName } from '../../model/device.ts';
import type { DeviceInfo } from '../../model/device.ts';
import type { IdentityNames } from '../../model/identity-names.ts';
import type { Identity } from '../../model/identity.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import { layerOf } from '../../model/layer.ts';
import type { FieldName } from '../fields.ts';
import type { Filter } from '../filter.ts';
import { Verdict } from '../verdict.ts';
import { judgeCondition, judgeTerm } from './identity-facts.ts';

/** Fields with the same value for all I/O of a volume. */
const OF_DEVICES: readonly FieldName[] = ['disk', 'host', 'mount', 'volume', 'layer'];

/**
 * Device numbers of inner volumes: another volume lies on them, as LVM on RAID. The same bytes are measured in both,
 * and sums have those of the outer one. Only volumes with I/O count, and only those that the filter matches, so that
 * `volume=md0` has the inner one.
 */
export function innerVolumes(
  filter: Filter,
  { volumes }: IdentityTable,
  names: IdentityNames,
): ReadonlySet<number> {
  if (volumes.size < 2) return new Set();
  const asked = [...volumes].filter((dev) => isAsked(dev, filter, names));
  const byName = new Map(asked.map((dev) => [deviceName(names, dev), dev]));
  const inner = new Set<number>();
  for (const dev of asked) {
    const { volumes: above = [], liesOn = [] } = names.device(dev) ?? {};
    // Long lists are truncated on both sides, but one of them has the other volume.
    if (above.some((name) => isOther(byName.get(name), dev))) inner.add(dev);
    for (const below of liesOn.map((name) => byName.get(name)))
      if (isOther(below, dev)) inner.add(below);
  }
  return inner;
}

function isOther(found: number | undefined, dev: number): found is number {
  return found !== undefined && found !== dev;
}

function isAsked(dev: number, filter: Filter, names: IdentityNames): boolean {
  if (filter.kind === 'everything') return true;
  const volume: Identity = {
    ...{ dev, cmdFlags: 0, tgid: 0, tid: 0, comm: '', cgroup: 0, error: 0, marks: 0 },
    layer: 'volumes',
  };
  const verdict = judgeCondition(filter, (term) =>
    OF_DEVICES.includes(term.field) ? judgeTerm(term, volume, names) : Verdict.maybe,
  );
  return verdict !== Verdict.no;
}

/** What decides which volumes are inner ones. */
type Place = Partial<Pick<DeviceInfo, 'name' | 'mounts' | 'volumes' | 'liesOn'>>;

const UNKNOWN: Place = {};

/** Sources keep a list as long as it stays the same. */
function isSamePlace(a: Place, b: Place = UNKNOWN): boolean {
  return (
    a.name === b.name && a.mounts === b.mounts && a.volumes === b.volumes && a.liesOn === b.liesOn
  );
}

/**
 * Knows the identities that belong to inner volumes. They are determined again whenever a volume has its first I/O, and
 * when more is known of one: that it lies on another is known only after its first I/O.
 */
export class InnerVolumes {
  private inner: ReadonlySet<number> = new Set();
  /** Of each volume with I/O, what was known when they were determined. */
  private known: readonly Place[] = [];
  private isInner = new Uint8Array(0);
  private identitiesSeen = 0;

  constructor(
    private readonly filter: Filter,
    private readonly identities: IdentityTable,
    private readonly names: IdentityNames,
  ) {}

  get isEmpty(): boolean {
    this.refresh();
    return this.inner.size === 0;
  }

  has(identity: number): boolean {
    this.refresh();
    return this.isInner[identity] === 1;
  }

  /** Sets the verdicts on rows with these identities to `no`. */
  exclude(identities: Uint32Array, from: number, verdicts: Uint8Array): void {
    if (this.isEmpty) return;
    const { isInner } = this;
    for (let i = 0; i < verdicts.length; i++)
      if (isInner[identities[from + i]!] === 1) verdicts[i] = Verdict.no;
  }

  private refresh(): void {
    const { identities, names } = this;
    const { volumes, size } = identities;
    if (volumes.size > 1 && this.isOutdated()) {
      this.known = [...volumes].map((dev) => names.device(dev) ?? UNKNOWN);
      this.inner = innerVolumes(this.filter, identities, names);
      this.identitiesSeen = 0;
    }
    if (this.inner.size === 0 || this.identitiesSeen === size) return;
    if (this.isInner.length < size) this.grow(Math.max(256, 2 * size));
    for (; this.identitiesSeen < size; this.identitiesSeen++) {
      const identity = identities.get(this.identitiesSeen);
      const isOfInner = layerOf(identity) === 'volumes' && this.inner.has(identity.dev);
      this.isInner[this.identitiesSeen] = isOfInner ? 1 : 0;
    }
  }

  private isOutdated(): boolean {
    const { known, names } = this;
    const { volumes } = this.identities;
    if (volumes.size !== known.length) return true;
    let at = 0;
    for (const dev of volumes) if (!isSamePlace(known[at++]!, names.device(dev))) return true;
    return false;
  }

  private grow(capacity: number): void {
    const isInner = new Uint8Array(capacity);
    isInner.set(this.isInner);
    this.isInner = isInner;
  }
}
