import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  environmentChanges,
  planDrop,
  type AccountBook,
  type DropPlan,
} from '../../src/kernel/privilege/drop-plan.ts';
import { findAccount, groupsOf } from '../../src/kernel/native/syscalls.ts';
import { must } from '../must.ts';

const accounts: AccountBook = {
  find: (uid) =>
    [
      { name: 'ann', uid: 1000, gid: 100, home: '/home/ann' },
      { name: 'op', uid: 1001, gid: 0, home: '/srv/op' },
    ].find((account) => account.uid === uid),
  groupsOf: (name, gid) => (name === 'ann' ? [gid, 27, 44] : [gid]),
};

function plan(env: Record<string, string>, euid = 0, stayRoot = false): DropPlan {
  return must(planDrop({ euid, env, stayRoot }, accounts));
}

describe('planDrop', () => {
  it('dropping privileges under sudo becomes the user of sudo with all groups of that user', () => {
    expect(plan({ SUDO_UID: '1000', SUDO_GID: '100' })).toEqual({
      kind: 'sudo-user',
      uid: 1000,
      gid: 100,
      groups: [100, 27, 44],
      name: 'ann',
      home: '/home/ann',
    });
  });

  it('group 0 from sudo is accepted only for a user whose own group it is', () => {
    expect(plan({ SUDO_UID: '1001', SUDO_GID: '0' })).toMatchObject({ uid: 1001, gid: 0 });
    const env = { SUDO_UID: '1000', SUDO_GID: '0' };
    expect(planDrop({ euid: 0, env, stayRoot: false }, accounts)).toMatchObject({
      ok: false,
      error: { exitCode: 3, why: 'SUDO_GID is "0", which is not a user ID' },
    });
  });

  it('user and group ID of sudo are required together or not at all', () => {
    const planned = planDrop({ euid: 0, env: { SUDO_UID: '1000' }, stayRoot: false }, accounts);
    expect(planned).toMatchObject({
      ok: false,
      error: { why: 'SUDO_GID is not set, which is not a user ID' },
    });
  });

  it('dropping privileges in a login of root stays root without capabilities', () => {
    expect(plan({})).toEqual({ kind: 'bare-root' });
  });

  it('variables of sudo are ignored by a process that is not root', () => {
    expect(plan({ SUDO_UID: 'abc', SUDO_GID: '100' }, 1000)).toEqual({ kind: 'own-user' });
  });

  it('--stay-root stays root, whoever started it', () => {
    expect(plan({ SUDO_UID: '1000', SUDO_GID: '100' }, 0, true)).toEqual({ kind: 'stay-root' });
  });
});

describe('environmentChanges', () => {
  it('after dropping privileges, the environment names the user of sudo and that home', () => {
    expect(environmentChanges(plan({ SUDO_UID: '1000', SUDO_GID: '100' }))).toEqual({
      HOME: '/home/ann',
      USER: 'ann',
      LOGNAME: 'ann',
    });
  });

  it('for a user without an account, names are removed from the environment and a home is set', () => {
    expect(environmentChanges(plan({ SUDO_UID: '77', SUDO_GID: '77' }))).toEqual({
      HOME: '/',
      USER: undefined,
      LOGNAME: undefined,
    });
  });

  it('the environment of root is not changed', () => {
    expect(environmentChanges({ kind: 'bare-root' })).toEqual({});
  });
});

describe('the user database of this machine', () => {
  const entries = readFileSync('/etc/passwd', 'utf8').trim().split('\n');

  it('the user database gives every local account as in /etc/passwd', () => {
    for (const line of entries) {
      const [name = '', , uid, gid, , home] = line.split(':');
      expect(findAccount(Number(uid))).toEqual({ name, uid: Number(uid), gid: Number(gid), home });
    }
  });

  it('the user database gives the groups that id(1) prints', () => {
    const members = readFileSync('/etc/group', 'utf8')
      .split('\n')
      .flatMap((line) => line.split(':')[3]?.split(',') ?? [])
      .filter((name) => name !== '');
    for (const name of new Set([...members, 'root', 'nobody'])) {
      const printed = execFileSync('id', ['-G', name], { encoding: 'utf8' }).trim().split(' ');
      const gid = Number(execFileSync('id', ['-g', name], { encoding: 'utf8' }));
      expect(groupsOf(name, gid)).toEqual(printed.map(Number));
    }
  });

  it('the user database has no account for an unused number', () => {
    expect(findAccount(54321)).toBeUndefined();
  });
});
