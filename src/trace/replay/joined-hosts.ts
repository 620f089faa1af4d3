import { CGROUPS_PER_HOST, cgroupNumber } from '../../model/cgroup-names.ts';
import type { CgroupNames } from '../../model/cgroup-names.ts';
import { DEVS_PER_HOST, hostNumberOf, unknownDeviceName } from '../../model/device.ts';
import type { DeviceInfo } from '../../model/device.ts';
import type { Identity } from '../../model/identity.ts';
import type { TraceReader } from '../trace-reader.ts';

/** The hosts of several traces, numbered from 1. */
export class JoinedHosts {
  private readonly names: string[] = [];
  private readonly numbers = new Map<string, number>();

  numberOf(name: string): number {
    const number = this.numbers.get(name) ?? this.names.push(name);
    this.numbers.set(name, number);
    return number;
  }

  /** A disk that no trace describes. */
  unknownDisk(dev: number): DeviceInfo | undefined {
    const host = this.names[hostNumberOf(dev) - 1];
    return host === undefined
      ? undefined
      : { dev, name: `${unknownDeviceName(dev)}@${host}`, host };
  }
}

/**
 * Tells what belongs to the host of a trace from what belongs to other hosts, by number and by name. A trace may itself
 * have been joined from those of several hosts: then it has numbers for them, and its names end in theirs.
 */
export class TraceHost {
  /** The number of each host in all traces, by its number in this one. */
  private readonly numbers: (number | undefined)[] = [];

  constructor(
    readonly name: string,
    private readonly reader: Pick<TraceReader, 'devices' | 'cgroups'>,
    private readonly hosts: JoinedHosts,
  ) {}

  devOf(dev: number): number {
    return this.numberOf(hostNumberOf(dev)) * DEVS_PER_HOST + (dev % DEVS_PER_HOST);
  }

  cgroupOf(id: number): number {
    if (id === 0) return 0;
    const own = Math.floor(id / CGROUPS_PER_HOST);
    return this.numberOf(own) * CGROUPS_PER_HOST + cgroupNumber(id);
  }

  identityOf(identity: Identity): Identity {
    const { dev, cgroup, comm } = identity;
    const name = hostNumberOf(dev) === 0 ? this.named(comm) : comm;
    return { ...identity, dev: this.devOf(dev), cgroup: this.cgroupOf(cgroup), comm: name };
  }

  /** The names that this trace may have for a process, by the name in all traces. */
  ownNames(comm: string): readonly string[] {
    const suffix = this.named('');
    const hasOthers = this.numbers.length > 1;
    return [
      ...(comm.endsWith(suffix) ? [comm.slice(0, -suffix.length)] : []),
      ...(hasOthers ? [comm] : []),
    ];
  }

  diskOf(disk: DeviceInfo): DeviceInfo {
    const dev = this.devOf(disk.dev);
    if (hostNumberOf(disk.dev) !== 0) return { ...disk, dev };
    const { name, volumes, liesOn } = disk;
    return {
      ...{ ...disk, dev, name: this.named(name), host: this.name },
      ...(volumes && { volumes: volumes.map(this.named) }),
      ...(liesOn && { liesOn: liesOn.map(this.named) }),
    };
  }

  /** The name of a cgroup by its number in all traces; undefined if this trace does not know it. */
  cgroupName(id: number): string | undefined {
    const own = this.numbers.indexOf(Math.floor(id / CGROUPS_PER_HOST));
    if (own < 0) return undefined;
    const name = this.reader.cgroups?.name(own * CGROUPS_PER_HOST + cgroupNumber(id));
    return name === undefined || own > 0 ? name : this.named(name);
  }

  /** With the host at the end, so that truncation removes it first. */
  private readonly named = (name: string): string => `${name}@${this.name}`;

  private numberOf(own: number): number {
    return (this.numbers[own] ??= this.hosts.numberOf(this.hostName(own)));
  }

  private hostName(own: number): string {
    if (own === 0) return this.name;
    const disk = this.reader.devices().find(({ dev }) => hostNumberOf(dev) === own);
    return disk?.host ?? `${this.name} ${own}`;
  }
}

/** Names of cgroups where traces have several hosts; undefined if none has any. */
export function joinedCgroups(
  traces: readonly { readonly host: TraceHost; readonly reader: TraceReader }[],
): CgroupNames | undefined {
  if (traces.every(({ reader }) => reader.cgroups === undefined)) return undefined;
  return {
    name: (id) => traces.map(({ host }) => host.cgroupName(id)).find((name) => name !== undefined),
  };
}
