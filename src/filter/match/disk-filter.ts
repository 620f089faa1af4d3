import { otherIdentity } from '../../model/folded-identity.ts';
import { IdentityMark } from '../../model/identity.ts';
import { IdentityTable } from '../../model/identity-table.ts';
import type { IdentityNames } from '../../model/identity-names.ts';
import { Op } from '../../model/operation.ts';
import type { Filter } from '../filter.ts';
import { Verdict } from '../verdict.ts';
import { compileFilter } from './match.ts';

/** Returns a test for whether a filter certainly matches all I/O of a disk. */
export function diskFilter(filter: Filter, names: IdentityNames): (dev: number) => boolean {
  // A table of its own: no such I/O has happened.
  const identities = new IdentityTable();
  const compiled = compileFilter(filter, identities, names);
  return (dev) =>
    Object.values(Op).every((cmdFlags) => {
      const nobody = { dev, cmdFlags, tgid: 0, tid: 0, comm: '', cgroup: 0, error: 0 };
      const anybody = otherIdentity({ ...nobody, marks: IdentityMark.noDetail });
      return compiled.judge(identities.intern(anybody)) === Verdict.yes;
    });
}
