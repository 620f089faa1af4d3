import type { TermValue } from '../../filter/filter.ts';
import { cgroupName } from '../../model/cgroup-names.ts';
import { deviceName, hostNumberOf } from '../../model/device.ts';
import { fileText } from '../../model/file.ts';
import { cgroupKey, numberAtHost } from '../../model/identity-names.ts';
import type { IdentityNames } from '../../model/identity-names.ts';
import { cgroupOf, commandIsKnown, IdentityMark, ownerIsKnown } from '../../model/identity.ts';
import type { Identity } from '../../model/identity.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import type { LaneKind } from '../../model/metric.ts';

/** The I/O belongs to no subject, or to several that were folded into one identity. */
export const NO_SUBJECT = -1;

/** The subjects that can have a lane: all disks, files, cgroups or processes. They are numbered from 0. */
export interface LaneSubjects {
  readonly kind: LaneKind;
  /** The column of rows whose number determines the subject. */
  readonly column: 'identity' | 'file';
  /** The number of different values in that column so far. */
  readonly size: number;
  of(number: number): number;
  /** Subjects with the same key share a lane. The key is what filters compare; for disks, the device number. */
  key(subject: number): TermValue;
  name(subject: number): string;
  /** False while its name is not known, so that its key may still change. */
  isNamed(subject: number): boolean;
  /**
   * Whether I/O of this identity may belong to any subject: it is known only as a count, or its identity was folded.
   */
  isUnknown(identity: number): boolean;
}

export interface SubjectNames extends IdentityNames {
  readonly identities: IdentityTable;
}

export function laneSubjects(kind: LaneKind, names: SubjectNames): LaneSubjects {
  return kind === 'file' ? new Files(names.identities) : new OfIdentities(kind, names);
}

class Files implements LaneSubjects {
  readonly kind = 'file';
  readonly column = 'file';

  constructor(private readonly identities: IdentityTable) {}

  get size(): number {
    return this.identities.files.size;
  }

  of(number: number): number {
    return this.identities.files.isOther(number) ? NO_SUBJECT : number;
  }

  key(file: number): string {
    return fileText(this.identities.files.get(file));
  }

  name(file: number): string {
    return this.key(file);
  }

  isNamed(): boolean {
    return true;
  }

  isUnknown(): boolean {
    return true;
  }
}

interface OfIdentity {
  /** Identities with the same id belong to one subject; undefined for none. */
  readonly id: (identity: Identity) => number | undefined;
  readonly key: (identity: Identity, names: IdentityNames) => TermValue;
  readonly name: (identity: Identity, names: IdentityNames) => string;
  /** Default: it always has a name. */
  readonly isNamed?: (identity: Identity, names: IdentityNames) => boolean;
}

/** Process ids of the kernel have 22 bits, those of logs 32. */
const PIDS_PER_HOST = 2 ** 32;

const OF_IDENTITY: Readonly<Record<Exclude<LaneKind, 'file'>, OfIdentity>> = {
  disk: {
    id: ({ dev }) => dev,
    key: ({ dev }) => dev,
    name: ({ dev }, names) => deviceName(names, dev),
  },
  cgroup: {
    id: (identity) => (commandIsKnown(identity) ? cgroupOf(identity) : undefined),
    key: ({ cgroup, dev }, names) => cgroupKey(cgroup, dev, names),
    name: ({ cgroup }, { cgroups }) => cgroupName(cgroups, cgroup),
    isNamed: ({ cgroup }, { cgroups }) => cgroups?.name(cgroup) !== undefined,
  },
  process: {
    id: (identity) =>
      ownerIsKnown(identity)
        ? identity.tgid + hostNumberOf(identity.dev) * PIDS_PER_HOST
        : undefined,
    key: ({ tgid, dev }, names) => numberAtHost(tgid, names.device(dev)?.host),
    name: ({ tgid, comm }) => `${tgid} ${comm}`,
  },
};

class OfIdentities implements LaneSubjects {
  readonly column = 'identity';
  /** The subject of each identity. */
  private readonly subjects: number[] = [];
  private readonly numbers = new Map<number, number>();
  /** An identity of each subject. */
  private readonly examples: Identity[] = [];
  private readonly how: OfIdentity;

  constructor(
    readonly kind: Exclude<LaneKind, 'file'>,
    private readonly names: SubjectNames,
  ) {
    this.how = OF_IDENTITY[kind];
  }

  get size(): number {
    return this.names.identities.size;
  }

  of(number: number): number {
    const { subjects, names } = this;
    for (let next = subjects.length; next <= number; next++)
      subjects.push(this.intern(names.identities.get(next)));
    return subjects[number]!;
  }

  key(subject: number): TermValue {
    return this.how.key(this.examples[subject]!, this.names);
  }

  name(subject: number): string {
    return this.how.name(this.examples[subject]!, this.names);
  }

  isNamed(subject: number): boolean {
    return this.how.isNamed?.(this.examples[subject]!, this.names) ?? true;
  }

  isUnknown(identity: number): boolean {
    if (this.of(identity) !== NO_SUBJECT) return false;
    const { marks } = this.names.identities.get(identity);
    return (marks & (IdentityMark.noDetail | IdentityMark.other)) !== 0;
  }

  private intern(identity: Identity): number {
    const id = this.how.id(identity);
    if (id === undefined) return NO_SUBJECT;
    const known = this.numbers.get(id);
    // The main thread has the name of the process, which may change.
    if (known !== undefined && identity.tid === identity.tgid) this.examples[known] = identity;
    if (known !== undefined) return known;
    const subject = this.examples.length;
    this.numbers.set(id, subject);
    this.examples.push(identity);
    return subject;
  }
}
