import { IdentityMark, IdentityTable, otherIdentity } from '../../model/identity-table.ts';
import type { IdentityNames } from '../../model/identity-names.ts';
import { Op } from '../../model/operation.ts';
import type { Filter } from '../filter.ts';
import { Verdict } from '../verdict.ts';
import { compileFilter } from './match.ts';

/** Whether a filter is certain to match all I/O of a disk. */
export function diskFilter(filter: Filter, names: IdentityNames): (dev: number) => boolean {
  // Of its own: nobody did this I/O.
  const identities = new IdentityTable();
  const compiled = compileFilter(filter, identities, names);
  return (dev) =>
    Object.values(Op).every((cmdFlags) => {
      const nobody = { dev, cmdFlags, tgid: 0, tid: 0, comm: '', cgroup: 0, error: 0 };
      const anybody = otherIdentity({ ...nobody, marks: IdentityMark.noDetail });
      return compiled.judge(identities.intern(anybody)) === Verdict.yes;
    });
}
