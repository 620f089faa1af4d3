import { cgroupOf } from '../../model/identity.ts';
import type { Identity } from '../../model/identity.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import type { IdentityNames } from '../../model/identity-names.ts';
import type { FieldName } from '../fields.ts';
import { termsOf } from '../filter.ts';
import type { Condition } from '../filter.ts';
import type { Verdict } from '../verdict.ts';
import { judgeCondition, judgeTerm } from './identity-facts.ts';

/** Marks identities without a verdict; no verdict has this bit. */
const UNDECIDED = 4;

interface Placed {
  readonly on: readonly string[];
  readonly identities: Set<number>;
}

/** Verdicts of a condition on identities, each computed when the identity first occurs. */
export class IdentityVerdicts {
  private verdicts = new Uint8Array(256).fill(UNDECIDED);
  private readonly fields: ReadonlySet<FieldName>;
  /**
   * Identities that were decided while a name was missing that the condition needs: the name may be known at the next
   * call.
   */
  private readonly unnamed: number[] = [];
  /**
   * Identities that were decided without the facts that are asked about the process: decided again when more is known
   * of processes.
   */
  private readonly unknown: number[] = [];
  private processVersion = -1;
  /** What was on each disk when its identities were decided: decided again when something else is on it, too. */
  private readonly placed = new Map<number, Placed>();

  constructor(
    private readonly condition: Condition,
    private readonly identities: IdentityTable,
    private readonly names: IdentityNames,
  ) {
    this.fields = new Set(termsOf(condition).map(({ field }) => field));
  }

  of(identity: number): Verdict {
    this.refresh();
    if (this.placed.size > 0) this.refreshPlace(this.identities.get(identity).dev);
    return this.settled(identity);
  }

  /** Writes the verdicts on the identities of some rows. */
  look(identities: Uint32Array, from: number, count: number, into: Uint8Array): void {
    this.refresh();
    for (const dev of this.placed.keys()) this.refreshPlace(dev);
    const { verdicts } = this;
    let seen = 0;
    for (let i = 0; i < count; i++) {
      const verdict = verdicts[identities[from + i]!]!;
      into[i] = verdict;
      seen |= verdict;
    }
    if ((seen & UNDECIDED) === 0) return;
    for (let i = 0; i < count; i++)
      if (into[i] === UNDECIDED) into[i] = this.settled(identities[from + i]!);
  }

  private refresh(): void {
    const { identities, verdicts, unnamed } = this;
    for (const identity of unnamed) verdicts[identity] = UNDECIDED;
    unnamed.length = 0;
    this.refreshProcesses();
    if (identities.size <= verdicts.length) return;
    this.verdicts = new Uint8Array(Math.max(identities.size, 2 * verdicts.length)).fill(UNDECIDED);
    this.verdicts.set(verdicts);
  }

  private refreshProcesses(): void {
    const { unknown, names, verdicts } = this;
    const { version = 0 } = names.processes ?? {};
    if (version === this.processVersion) return;
    this.processVersion = version;
    for (const identity of unknown) verdicts[identity] = UNDECIDED;
    unknown.length = 0;
  }

  private refreshPlace(dev: number): void {
    const { placed, verdicts } = this;
    const known = placed.get(dev);
    if (known === undefined || this.isOn(dev).every((name) => known.on.includes(name))) return;
    for (const identity of known.identities) verdicts[identity] = UNDECIDED;
    placed.delete(dev);
  }

  /** The mounted file systems and the volumes on a disk, as far as the condition asks for them. */
  private isOn(dev: number): readonly string[] {
    const { fields, names } = this;
    const { mounts = [], volumes = [] } = names.device(dev) ?? {};
    if (!fields.has('volume')) return mounts;
    return fields.has('mount') ? [...mounts, ...volumes] : volumes;
  }

  private notePlaced(dev: number, identity: number): void {
    const { fields, placed } = this;
    if (!fields.has('mount') && !fields.has('volume')) return;
    const known = placed.get(dev);
    if (known !== undefined) known.identities.add(identity);
    else placed.set(dev, { on: [...this.isOn(dev)], identities: new Set([identity]) });
  }

  private settled(identity: number): Verdict {
    const known = this.verdicts[identity]!;
    return known === UNDECIDED ? this.decide(identity) : (known as Verdict);
  }

  private decide(index: number): Verdict {
    const identity = this.identities.get(index);
    const verdict = judgeCondition(this.condition, (term) => judgeTerm(term, identity, this.names));
    this.verdicts[index] = verdict;
    if (this.lacksName(identity)) this.unnamed.push(index);
    if (this.lacksFacts(identity)) this.unknown.push(index);
    this.notePlaced(identity.dev, index);
    return verdict;
  }

  private lacksFacts({ tgid, comm }: Identity): boolean {
    const { fields, names } = this;
    if (!fields.has('cmd') && !fields.has('user')) return false;
    return names.processes !== undefined && names.processes.facts(tgid, comm) === undefined;
  }

  private lacksName(identity: Identity): boolean {
    const { fields, names } = this;
    // In its own layer, a volume is found by the name of its device.
    const asksDevice = fields.has('disk') || fields.has('host') || fields.has('volume');
    if (asksDevice && names.device(identity.dev) === undefined) return true;
    const cgroup = fields.has('cgroup') ? cgroupOf(identity) : undefined;
    if (cgroup === undefined || names.cgroups === undefined) return false;
    return names.cgroups.name(cgroup) === undefined;
  }
}
