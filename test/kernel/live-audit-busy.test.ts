import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readDiskstats } from '../../src/kernel/machine/diskstats.ts';
import { buildLoad, startLoad, type RunningLoad } from '../load/load-process.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { Account, expectWhole } from './fixtures/account.ts';
import type { BundledEntry } from './fixtures/bundle-entry.ts';
import { needs } from '../needs.ts';
import { TraceSession } from './fixtures/trace-session.ts';

const DISK_BYTES = 64 << 20;
const SESSIONS = 6;
const LOOKS = 5;

describe('on a busy machine', needs('tracing'), () => {
  let program: BundledEntry;
  let disk: LoopDevice;
  let load: RunningLoad | undefined;
  beforeEach(async () => {
    program = await buildLoad();
    disk = LoopDevice.create({ bytes: DISK_BYTES });
  });
  afterEach(async () => {
    await end(load);
    program.dispose();
    disk.dispose();
  });

  /**
   * Now and then the kernel runs none of our programs at a completion, so there are losses to be told
   * here: a second trace, which began before the load and whose own figures are proven at every rest,
   * says which.
   */
  it('on a busy machine, no loss is reported that did not happen, at whatever moment a trace starts', async () => {
    const witness = open(1 << 25);
    const account = new Account(disk);
    let witnessedRows = 0;
    const order = { depth: 64, batch: 8, blockBytes: 4096, spanBytes: DISK_BYTES, writes: 0.3 };
    load = startLoad(program, { ...order, path: disk.path, count: 1e9, seed: 1 });
    for (let index = 0; index < SESSIONS; index++) {
      let witnessed: Sighting[] = [];
      let seen: Sighting[] = [];
      const told: number[] = [];
      await settleFor(30);
      const lostBefore = lostSoFar(witness);
      // In the middle of it: what is on its way now is the hard part.
      const session = open();
      for (let look = 0; look < LOOKS; look++) {
        session.source.audit();
        await settleFor(10);
        told.push(lostSoFar(session));
        // Else the rings fill up while a test looks at each I/O, and what does not fit is only counted.
        await rest(load, disk);
        seen = seen.concat(sightings(session, disk.dev));
        witnessed = witnessed.concat(sightings(witness, disk.dev));
        told.push(session.lost());
        process.kill(load.pid, 'SIGCONT');
      }
      await rest(load, disk);
      seen = seen.concat(sightings(session, disk.dev));
      witnessed = witnessed.concat(sightings(witness, disk.dev));
      told.push(session.lost(), session.lost());
      session.dispose();
      witnessedRows += witnessed.length;
      expectWhole(witness, disk, account, { rows: witnessedRows });
      const lost = missing(witnessed, seen) + lostSoFar(witness) - lostBefore;
      expect(seen.length).toBeGreaterThan(0);
      expect({ told, lost }).toEqual({ told: told.map((count) => Math.min(count, lost)), lost });
      process.kill(load.pid, 'SIGCONT');
    }
    witness.dispose();
    account.dispose();
  }, 120_000);

  function open(ringBytes?: number): TraceSession {
    return TraceSession.open({ filter: { devs: [disk.dev] }, ...(ringBytes && { ringBytes }) });
  }
});

function lostSoFar({ source }: TraceSession): number {
  return source.counters().lost;
}

/** An I/O by what two traces have in common of it, and when it completed by the machine's clock. */
interface Sighting {
  readonly sector: number;
  readonly completeNs: number;
}

function sightings(session: TraceSession, dev: number): Sighting[] {
  const baseNs = Number(session.source.info.clockBase.monotonicNs);
  return session
    .take(dev)
    .map(({ sector, completeNs }) => ({ sector, completeNs: baseNs + completeNs }));
}

/** Two programs look at the clock one after the other; between them the machine may do something else. */
const APART_NS = 5e6;

/** How many I/Os the witness saw that another did not, from the first on that the other saw. */
function missing(witnessed: readonly Sighting[], seen: readonly Sighting[]): number {
  const bySector = new Map<number, Sighting[]>();
  for (const one of seen) {
    const others = bySector.get(one.sector);
    if (others === undefined) bySector.set(one.sector, [one]);
    else others.push(one);
  }
  const isSeen = ({ sector, completeNs }: Sighting): boolean => {
    const same = bySector.get(sector) ?? [];
    const at = same.findIndex((one) => Math.abs(one.completeNs - completeNs) < APART_NS);
    if (at >= 0) same.splice(at, 1);
    return at >= 0;
  };
  const firstNs = seen[0]?.completeNs ?? Infinity;
  return witnessed.filter((one) => one.completeNs >= firstNs && !isSeen(one)).length;
}

async function end(load: RunningLoad | undefined): Promise<void> {
  if (load === undefined) return;
  const ended = load.report.catch((cause: unknown) => cause);
  process.kill(load.pid, 'SIGKILL');
  await ended;
}

/** Stops the load and waits for what is under way. */
async function rest(load: RunningLoad, { dev }: LoopDevice): Promise<void> {
  process.kill(load.pid, 'SIGSTOP');
  while (!/^State:\s+T/m.test(readFileSync(`/proc/${load.pid}/status`, 'utf8'))) await settleFor(1);
  // The kernel adds up what its processors count one after the other: one look may find none by chance.
  for (let before = -1, isAtRest = false; !isAtRest;) {
    await settleFor(2);
    const { inFlight, reads, writes } = readDiskstats().get(dev)!;
    isAtRest = inFlight === 0 && reads + writes === before;
    before = reads + writes;
  }
}

function settleFor(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
