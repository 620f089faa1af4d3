import { err, ExitCode, ok, type Result } from '../../base/result.ts';
import { findAccount, groupsOf, type Account } from '../native/syscalls.ts';

/** Which user the program runs as once tracing is set up. */
export type DropPlan =
  /** `--stay-root`: no privileges are dropped. */
  | { readonly kind: 'stay-root' }
  /** Started by sudo: becomes the user who called sudo. */
  | {
      readonly kind: 'sudo-user';
      readonly uid: number;
      readonly gid: number;
      readonly groups: readonly number[];
      readonly name: string | undefined;
      readonly home: string | undefined;
    }
  /** Logged in as root: stays uid 0, so that files can be written where root's shell is, but without capabilities. */
  | { readonly kind: 'bare-root' }
  /** Not root, but started with capabilities: the same user, without them. */
  | { readonly kind: 'own-user' };

/** The part of the user database that a plan needs. */
export interface AccountBook {
  find(uid: number): Account | undefined;
  groupsOf(name: string, gid: number): readonly number[];
}

const systemAccounts: AccountBook = { find: findAccount, groupsOf };

export interface Starter {
  readonly euid: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stayRoot: boolean;
}

/** Who to become. Fails where what sudo says of its caller cannot be trusted: nothing may then run as root. */
export function planDrop(
  starter: Starter,
  accounts: AccountBook = systemAccounts,
): Result<DropPlan> {
  if (starter.stayRoot) return ok({ kind: 'stay-root' });
  if (starter.euid !== 0) return ok({ kind: 'own-user' });
  const { SUDO_UID: uidText, SUDO_GID: gidText } = starter.env;
  if (uidText === undefined && gidText === undefined) return ok({ kind: 'bare-root' });
  const uid = parseId(uidText);
  const gid = parseId(gidText);
  if (uid === undefined) return err(untrustworthy('SUDO_UID', uidText));
  if (gid === undefined) return err(untrustworthy('SUDO_GID', gidText));
  // sudo sets both to 0 when root calls it.
  if (uid === 0) return ok({ kind: 'bare-root' });
  return planSudoUser(uid, gid, accounts);
}

function planSudoUser(uid: number, gid: number, accounts: AccountBook): Result<DropPlan> {
  const account = accounts.find(uid);
  // sudo takes the group from the user database; group 0 from elsewhere would leave privileges.
  if (gid === 0 && account?.gid !== 0) return err(untrustworthy('SUDO_GID', '0'));
  return ok({
    kind: 'sudo-user',
    uid,
    gid,
    groups: account === undefined ? [gid] : accounts.groupsOf(account.name, gid),
    name: account?.name,
    home: account?.home,
  });
}

/** (uid_t)-1 means "leave unchanged" to setresuid, so the largest ID is one less. */
const MAX_ID = 0xffff_fffe;

function parseId(text: string | undefined): number | undefined {
  if (text === undefined || !/^(0|[1-9][0-9]{0,9})$/.test(text)) return undefined;
  const id = Number(text);
  return id <= MAX_ID ? id : undefined;
}

function untrustworthy(name: string, text: string | undefined) {
  return {
    exitCode: ExitCode.cannotTrace,
    what: 'cannot determine which user to become',
    why: `${name} is ${text === undefined ? 'not set' : JSON.stringify(text)}, which is not a user ID`,
    remedy: 'start with sudo itself, or unset SUDO_UID and SUDO_GID',
  };
}

/**
 * Environment variables to change for the new user; `undefined` removes one. A user without an account gets `/` as
 * home, because Node fails without a home directory.
 */
export function environmentChanges(plan: DropPlan): Readonly<Record<string, string | undefined>> {
  if (plan.kind !== 'sudo-user') return {};
  return { HOME: plan.home ?? '/', USER: plan.name, LOGNAME: plan.name };
}
