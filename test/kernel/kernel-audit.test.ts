import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDiskstats } from '../../src/kernel/machine/diskstats.ts';
import { KernelAudit } from '../../src/kernel/counts/kernel-audit.ts';
import { MissingRequests } from '../../src/kernel/counts/missing-requests.ts';
import { createColumns } from '../../src/model/completion-columns.ts';
import { OTHER_DISKS, packDevice } from '../../src/model/device.ts';

import { IdentityTable } from '../../src/model/identity-table.ts';

const CPUS = 2;
const DISKS = [packDevice(7, 0), packDevice(7, 1)] as const;
const OWNER = { tgid: 1, tid: 1, comm: 'x', cgroup: 0, error: 0, marks: 0 };

/**
 * A kernel with two disks: a request passes our programs or is not seen by them and is counted in
 * /proc/diskstats a little later; rows wait in the ring until somebody reads.
 */
class Machine {
  readonly identities = new IdentityTable();
  readonly audit: KernelAudit;
  unseen = 0;
  private readonly keyOf = DISKS.map((dev) =>
    this.identities.intern({ ...OWNER, dev, cmdFlags: 0 }),
  );
  private readonly rows = createColumns(64);
  private readonly completed = [0, 0];
  private readonly inFlight = [0, 0];
  private readonly uncounted: number[] = [];
  private readonly ring: number[] = [];
  private readonly sums: number[] = [];
  private consumed = 0;
  private summarised = 0;

  constructor() {
    this.audit = new KernelAudit({
      identities: this.identities,
      cpus: CPUS,
      position: () => ({ ring: this.consumed + this.ring.length, summarised: this.summarised }),
      readStats: () => parseDiskstats(this.diskstats()),
    });
  }

  /** The whole life of a request, at once. */
  request(disk: number, how: 'row' | 'sum' | 'unseen'): void {
    this.pass(disk, how);
    while (this.countOne());
  }

  /** Our programs have run, or not; the kernel has not counted it yet. */
  pass(disk: number, how: 'row' | 'sum' | 'unseen'): void {
    this.inFlight[disk]!++;
    if (how === 'row') this.ring.push(disk);
    else if (how === 'sum') this.sums.push(disk);
    else this.unseen++;
    this.summarised += Number(how === 'sum');
    this.uncounted.push(disk);
  }

  countOne(): boolean {
    const disk = this.uncounted.shift();
    if (disk === undefined) return false;
    this.inFlight[disk]!--;
    this.completed[disk]!++;
    return true;
  }

  /** I/Os of disks that were counted together with others. */
  countTogether(count: number): void {
    const identity = this.identities.intern({ ...OWNER, dev: OTHER_DISKS, cmdFlags: 0 });
    this.audit.tookSummaries([{ identity, count }]);
  }

  /** Another disk takes the number; nothing is on its way then. */
  replace(disk: number): void {
    while (this.countOne());
    this.completed[disk] = 0;
  }

  look(): void {
    this.audit.start(DISKS);
  }

  readRows(most = 64): void {
    const count = Math.min(most, this.ring.length, this.audit.limit - this.consumed);
    this.rows.length = count;
    this.ring
      .splice(0, count)
      .forEach((disk, row) => (this.rows.identity[row] = this.keyOf[disk]!));
    this.consumed += count;
    this.audit.tookRows(this.rows, this.consumed);
  }

  readSummaries(): void {
    const sums = this.sums.splice(0).map((disk) => ({ identity: this.keyOf[disk]!, count: 1 }));
    this.audit.tookSummaries(sums);
  }

  /** All that is under way comes to its end and is read. */
  rest(): void {
    while (this.countOne());
    for (let i = 0; i < 3; i++) {
      while (this.ring.length > 0) this.readRows();
      this.readSummaries();
      this.look();
    }
  }

  private diskstats(): string {
    return DISKS.map((_, disk) => {
      const reads = this.completed[disk]!;
      return `7 ${disk} loop${disk} ${reads} 0 0 0 0 0 0 0 ${this.inFlight[disk]!} 0 0 0 0 0 0 0 0\n`;
    }).join('');
  }
}

const disk = fc.constantFrom(0, 1);
const how = fc.constantFrom('row' as const, 'row' as const, 'sum' as const, 'unseen' as const);
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(disk, how).map(([at, by]) => (m: Machine) => {
      m.pass(at, by);
    }),
  },
  { weight: 8, arbitrary: fc.constant((m: Machine) => void m.countOne()) },
  {
    weight: 4,
    arbitrary: fc.tuple(disk, how).map(([at, by]) => (m: Machine) => {
      m.request(at, by);
    }),
  },
  {
    weight: 3,
    arbitrary: fc.nat(8).map((most) => (m: Machine) => {
      m.readRows(most);
    }),
  },
  {
    weight: 3,
    arbitrary: fc.constant((m: Machine) => {
      m.readSummaries();
    }),
  },
  {
    weight: 2,
    arbitrary: fc.constant((m: Machine) => {
      m.look();
    }),
  },
  {
    weight: 1,
    arbitrary: disk.map((at) => (m: Machine) => {
      m.replace(at);
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constant((m: Machine) => {
      m.audit.restart();
    }),
  },
);

describe('I/O that the kernel counted and the programs missed', () => {
  it('the count of missed I/O never exceeds the truth, whatever is on its way when it is read', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const machine = new Machine();
        for (const run of steps) {
          run(machine);
          expect(machine.audit.missing).toBeLessThanOrEqual(machine.unseen);
        }
        machine.rest();
        expect(machine.audit.missing).toBeLessThanOrEqual(machine.unseen);
      }),
      { numRuns: 500 },
    );
  });

  it('summaries that arrive after a look do not count as I/O before it', () => {
    const machine = new Machine();
    machine.pass(0, 'row');
    machine.countOne();
    machine.look();
    machine.request(0, 'sum');
    machine.readSummaries();
    machine.rest();
    expect(machine.audit.missing).toBe(0);
  });

  it('the count of missed I/O is exact between two idle moments', () => {
    const lives = fc.array(fc.tuple(disk, how), { maxLength: 200 });
    fc.assert(
      fc.property(lives, fc.array(fc.nat(200)), (requests, looks) => {
        const machine = new Machine();
        machine.rest();
        requests.forEach(([at, by], index) => {
          machine.request(at, by);
          if (looks.includes(index)) machine.look();
          if (index % 7 === 0) machine.readRows(5);
        });
        machine.rest();
        expect(machine.audit.missing).toBe(machine.unseen);
      }),
    );
  });

  it('the count of missed I/O is right in the middle of a load, except for I/O on its way', () => {
    const machine = new Machine();
    machine.rest();
    for (let i = 0; i < 1000; i++) machine.request(0, i % 10 === 0 ? 'unseen' : 'row');
    machine.look();
    for (let i = 0; i < 500; i++) machine.request(0, 'row');
    for (let i = 0; i < 40; i++) machine.readRows();
    expect(machine.audit.missing).toBe(100);
  });

  it('the count of missed I/O waits for I/O that was only summarized', () => {
    const machine = new Machine();
    machine.rest();
    for (let i = 0; i < 50; i++) machine.request(0, 'sum');
    machine.look();
    machine.readRows();
    expect(machine.audit.missing).toBe(0);
    machine.readSummaries();
    machine.rest();
    expect(machine.audit.missing).toBe(0);
  });

  it('missed I/O is counted only while there is a disk, and dropped with it', () => {
    const requests = new MissingRequests();
    const none = () => 0;
    const look = (completed: number) => ({
      counts: [{ dev: 7, completed, unsettled: 0 }],
      seenBefore: none,
      seenAfter: none,
    });
    requests.compare(look(100));
    requests.compare(look(105));
    expect(requests.count).toBe(5);
    requests.compare({ counts: [], seenBefore: none, seenAfter: none });
    expect([requests.count, requests.isKnown(7)]).toEqual([5, false]);
    requests.compare(look(900));
    expect(requests.count).toBe(5);
    requests.compare(look(901));
    expect(requests.count).toBe(6);
  });
});

describe('requests that nobody saw', () => {
  it('missed requests are fewer by those that were counted for several disks together', () => {
    const machine = new Machine();
    machine.rest();
    for (let i = 0; i < 5; i++) machine.request(1, 'unseen');
    machine.countTogether(2);
    machine.rest();
    expect(machine.audit.missing).toBe(3);
    expect(machine.audit.missingOn(0).get(DISKS[1])).toBe(3);
  });

  it('missed requests are counted on their own disk, less what is known otherwise', () => {
    const machine = new Machine();
    machine.rest();
    machine.request(0, 'row');
    for (let i = 0; i < 3; i++) machine.request(1, 'unseen');
    machine.rest();
    const on = (known: number) => {
      const byDisk = machine.audit.missingOn(known);
      return DISKS.map((dev) => byDisk.get(dev) ?? 0);
    };
    expect(machine.audit.missing).toBe(3);
    expect(on(0)).toEqual([0, 3]);
    expect(on(2)).toEqual([0, 1]);
  });
});
