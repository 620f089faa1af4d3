import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findCgroupRoot } from '../../src/kernel/machine/cgroups.ts';
import { parsePressure } from '../../src/kernel/machine/io-pressure.ts';
import { deviceMajor, deviceMinor } from '../../src/model/device.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { needs } from '../needs.ts';
import { TraceSession } from './fixtures/trace-session.ts';

const MIB = 1 << 20;
const THROTTLE = '/sys/fs/cgroup/blkio';
const LIMIT = 'blkio.throttle.read_bps_device';
const TURN_MS = 100;
const WITHIN_MS = 20_000;

function kernelSomeNs(): number {
  return parsePressure(readFileSync('/proc/pressure/io', 'utf8'))!.someNs;
}

describe.skipIf(!existsSync('/proc/pressure/io') || !existsSync(`${THROTTLE}/${LIMIT}`))(
  'a program that a cgroup limit holds back',
  needs('tracing'),
  () => {
    const group = `${THROTTLE}/ioheat-pressure`;
    let disk: LoopDevice;
    let session: TraceSession;
    let reader: ChildProcess;
    beforeEach(() => {
      disk = LoopDevice.create({ bytes: 64 * MIB });
      mkdirSync(group);
      const number = `${deviceMajor(disk.dev)}:${deviceMinor(disk.dev)}`;
      writeFileSync(`${group}/${LIMIT}`, `${number} ${MIB}`);
      session = TraceSession.open();
      const read = `dd if=${disk.path} of=/dev/null bs=64k iflag=direct status=none`;
      reader = spawn('sh', ['-ec', `echo $$ > ${group}/cgroup.procs; exec ${read}`], {
        stdio: 'inherit',
      });
    });
    afterEach(async () => {
      const ended = once(reader, 'exit');
      reader.kill();
      await ended;
      session.dispose();
      disk.dispose();
      rmdirSync(group);
    });

    /** Reads the trace in turns, as the monitor does, until there is what `find` looks for. */
    async function readUntil<T>(find: () => T | undefined): Promise<T> {
      for (const endMs = performance.now() + WITHIN_MS; performance.now() < endMs;) {
        session.takeAll();
        const found = find();
        if (found !== undefined) return found;
        await sleep(TURN_MS);
      }
      throw new Error(`not within ${WITHIN_MS} ms`);
    }

    it('counts as tasks that wait for storage, as long as the kernel says', async () => {
      const { pressure } = session.source.info;
      const before = kernelSomeNs();
      const first = await readUntil(() => pressure!.samplesAfter(-Infinity)[0]);
      const last = await readUntil(() => pressure!.samplesAfter(first.atNs)[2]);
      const after = kernelSomeNs();
      expect(first.someNs).toBeGreaterThanOrEqual(before - 1e9);
      expect(last.someNs).toBeLessThanOrEqual(after);
      expect(last.someNs - first.someNs).toBeGreaterThan(0);
      const known = pressure!.during(first.atNs, last.atNs);
      expect(known.someNs).toBeCloseTo(last.someNs - first.someNs, -1);
      expect(known.knownNs).toBeCloseTo(last.atNs - first.atNs, -1);
    });

    it('is named with its limit as the cause of a wait without a disk', async () => {
      const limit = await readUntil(() => session.source.stallCause()?.limit);
      expect(limit).toEqual({
        ...{ cgroup: '/ioheat-pressure', disk: disk.name, direction: 'read', unit: 'bytes' },
        perSecond: MIB,
      });
    });
  },
);

const UNIFIED = findCgroupRoot();

describe.skipIf(UNIFIED === undefined || !existsSync(`${UNIFIED}/io.pressure`))(
  'a cgroup whose program reads from a disk',
  needs('tracing'),
  () => {
    const group = `${UNIFIED}/ioheat-stalled`;
    const idle = `${UNIFIED}/ioheat-idle`;
    let disk: LoopDevice;
    let session: TraceSession;
    beforeEach(() => {
      disk = LoopDevice.create({ bytes: 64 * MIB });
      for (const one of [group, idle]) mkdirSync(one);
      session = TraceSession.open();
    });
    afterEach(() => {
      session.dispose();
      disk.dispose();
      for (const one of [group, idle]) rmdirSync(one);
    });

    it('is stalled as long as the kernel says, and one without I/O is not known', async () => {
      const { cgroups } = session.source.info.pressure!;
      const id = statSync(group).ino;
      for (let turn = 0; (cgroups.get(id)?.samplesAfter(-Infinity).length ?? 0) < 2; turn++) {
        expect(turn).toBeLessThan(40);
        const read = `dd if=${disk.path} of=/dev/null bs=64k iflag=direct status=none`;
        execFileSync('sh', ['-ec', `echo $$ > ${group}/cgroup.procs; exec ${read}`]);
        session.takeAll();
        await sleep(TURN_MS);
      }
      const [first, ...others] = cgroups.get(id)!.samplesAfter(-Infinity);
      const someNs = parsePressure(readFileSync(`${group}/io.pressure`, 'utf8'))!.someNs;
      expect(others.at(-1)!.someNs).toBeGreaterThan(first!.someNs);
      expect(others.at(-1)!.someNs).toBeLessThanOrEqual(someNs);
      expect([...cgroups.keys()]).not.toContain(statSync(idle).ino);
    });
  },
);
