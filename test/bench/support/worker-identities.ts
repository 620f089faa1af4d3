import { IdentityTable } from '../../../src/model/identity-table.ts';

/** `count` identities of processes with one thread each: two per process, one for reads and one for writes. */
export function workerIdentities(
  count: number,
  devOf: (index: number) => number,
  firstTgid = 1,
): IdentityTable {
  const identities = new IdentityTable();
  for (let index = 0; index < count; index++) {
    const tgid = firstTgid + (index >> 1);
    const owner = { tgid, tid: tgid, comm: `worker${tgid}`, cgroup: 1 };
    identities.intern({ ...owner, dev: devOf(index), cmdFlags: index % 2, error: 0, marks: 0 });
  }
  return identities;
}
