import {
  cgroupOf,
  commandIsKnown,
  IdentityMark,
  isFolded,
  OTHER_COMM,
  ownerIsKnown,
} from './identity.ts';
import type { Identity } from './identity.ts';
import { OP_MASK } from './operation.ts';

/** How much of the owner an identity tells. Where there is no room for another, it is folded into one that tells less. */
export const OwnerDetail = { process: 0, commandInCgroup: 1, command: 2, none: 3 } as const;
export type OwnerDetail = (typeof OwnerDetail)[keyof typeof OwnerDetail];

export function ownerDetail(identity: Identity): OwnerDetail {
  if (!isFolded(identity)) return OwnerDetail.process;
  if (!commandIsKnown(identity)) return OwnerDetail.none;
  return cgroupOf(identity) === undefined ? OwnerDetail.command : OwnerDetail.commandInCgroup;
}

/** The identity that tells the next less of the owner. */
export function foldedOnce(identity: Identity): Identity {
  switch (ownerDetail(identity)) {
    case OwnerDetail.process:
      return ownerIsKnown(identity) && identity.comm !== ''
        ? ofCommand(identity)
        : otherIdentity(identity);
    case OwnerDetail.commandInCgroup:
      return { ...identity, cgroup: 0 };
    default:
      return otherIdentity(identity);
  }
}

function ofCommand(identity: Identity): Identity {
  const { indirect, severalWriters } = IdentityMark;
  const { comm, cgroup, via, marks } = identity;
  const other = otherIdentity(identity);
  return {
    ...other,
    comm,
    cgroup,
    via,
    marks: other.marks | (marks & (indirect | severalWriters)),
  };
}

const KEPT_MARKS = IdentityMark.noDetail | IdentityMark.errorUnknown | IdentityMark.sizeUnknown;

/**
 * The identity into which others of its kind are folded. Layer, device, operation, success and size as far as they are
 * known, and whether it is a single I/O are kept, so totals per disk stay correct.
 */
export function otherIdentity(identity: Identity): Identity {
  return {
    dev: identity.dev,
    cmdFlags: identity.cmdFlags & OP_MASK,
    tgid: 0,
    tid: 0,
    comm: OTHER_COMM,
    cgroup: 0,
    error: identity.error,
    marks: IdentityMark.other | IdentityMark.ownerUnknown | (identity.marks & KEPT_MARKS),
    layer: identity.layer,
  };
}

/** The identity of aggregated I/O, without thread, flags and result. */
export function aggregateIdentity(identity: Identity): Identity {
  const { cmdFlags, tgid, marks } = identity;
  return {
    ...identity,
    cmdFlags: cmdFlags & OP_MASK,
    tid: tgid,
    error: 0,
    marks: marks | IdentityMark.noDetail,
  };
}
