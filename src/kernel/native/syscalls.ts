import { getSystemErrorMap } from 'node:util';
import koffi from 'koffi';
import { err, ok, type Result } from '../../base/result.ts';

/** A failed system call. `name` is the symbolic errno (`EPERM`). */
export interface SyscallError {
  readonly call: string;
  readonly errno: number;
  readonly name: string;
  readonly message: string;
}

const libc = koffi.load(null);

/* Members pw_name … pw_shell; glibc and musl agree on the order. */
const passwd = koffi.struct({
  name: 'char *',
  password: 'char *',
  uid: 'uint32_t',
  gid: 'uint32_t',
  gecos: 'char *',
  directory: 'char *',
  shell: 'char *',
});

/*
 * Variadic functions of C (fcntl, prctl) are declared with the arguments used here: on x86-64 and arm64 Linux,
 * integers are passed in the same registers either way.
 */
const raw = {
  execv: libc.func('int execv(const char *path, const char **argv)'),
  fcntl: libc.func('int fcntl(int fd, int command, int argument)'),
  prctl: libc.func(
    'int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)',
  ),
  signal: libc.func('void *signal(int number, intptr_t handler)'),
  capset: libc.func('int capset(void *header, void *data)'),
  setgroups: libc.func('int setgroups(size_t size, void *groups)'),
  setresgid: libc.func('int setresgid(uint32_t real, uint32_t effective, uint32_t saved)'),
  setresuid: libc.func('int setresuid(uint32_t real, uint32_t effective, uint32_t saved)'),
  getgrouplist: libc.func(
    'int getgrouplist(const char *user, uint32_t group, void *groups, void *count)',
  ),
  getpwuid: libc.func('void *getpwuid(uint32_t uid)'),
  getxattr: libc.func(
    'intptr_t getxattr(const char *path, const char *name, void *value, size_t size)',
  ),
};

/** Turns the C convention of -1 and errno into a value. */
export function checkErrno(call: string, rc: number): Result<number, SyscallError> {
  if (rc >= 0) return ok(rc);
  const errno = koffi.errno();
  const [name, message] = getSystemErrorMap().get(-errno) ?? [`errno ${errno}`, 'unknown error'];
  return err({ call, errno, name, message });
}

export function formatSyscallError(error: SyscallError): string {
  return `${error.call}: ${error.message} (${error.name})`;
}

/**
 * Returns only on failure. The environment is the process's own (`environ`), which `process.env` writes through to,
 * so values that are not UTF-8 survive.
 */
export function execv(path: string, argv: readonly string[]): SyscallError {
  const result = checkErrno(`execv ${path}`, raw.execv(path, [...argv, null]) as number);
  if (result.ok) throw new Error('execv returned without an error');
  return result.error;
}

const F_GETFD = 1;
const F_SETFD = 2;
const FD_CLOEXEC = 1;

/** Whether `fd` closes by itself when this process executes another program. */
export function setCloseOnExec(fd: number, close: boolean): Result<number, SyscallError> {
  const flags = checkErrno(`fcntl ${fd}`, raw.fcntl(fd, F_GETFD, 0) as number);
  if (!flags.ok) return flags;
  const wanted = close ? flags.value | FD_CLOEXEC : flags.value & ~FD_CLOEXEC;
  return checkErrno(`fcntl ${fd}`, raw.fcntl(fd, F_SETFD, wanted) as number);
}

const SIG_IGN = 1;

/** Ignores a signal. That survives an exec; a handler does not. */
export function ignoreSignal(number: number): void {
  raw.signal(number, SIG_IGN);
}

/** Calls prctl; `name` is for the message, and unused arguments must be 0. */
export function prctl(
  name: string,
  option: number,
  argument: number,
): Result<number, SyscallError> {
  return checkErrno(`prctl ${name}`, raw.prctl(option, argument, 0, 0, 0) as number);
}

const CAPABILITY_VERSION_3 = 0x20080522;

/** Clears the effective, permitted and inheritable capabilities, of the calling thread only. */
export function dropCapabilities(): Result<number, SyscallError> {
  const header = new Uint32Array([CAPABILITY_VERSION_3, 0]);
  return checkErrno('capset', raw.capset(header, new Uint32Array(6)) as number);
}

export function setgroups(groups: readonly number[]): Result<number, SyscallError> {
  return checkErrno('setgroups', raw.setgroups(groups.length, Uint32Array.from(groups)) as number);
}

export function setresgid(gid: number): Result<number, SyscallError> {
  return checkErrno('setresgid', raw.setresgid(gid, gid, gid) as number);
}

export function setresuid(uid: number): Result<number, SyscallError> {
  return checkErrno('setresuid', raw.setresuid(uid, uid, uid) as number);
}

/** A user's entry in the user database. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
}

/** Finds a user through libc, so that users from LDAP and sssd are found as well. */
export function findAccount(uid: number): Account | undefined {
  const pointer = raw.getpwuid(uid) as bigint | null;
  if (pointer === null || pointer === 0n) return undefined;
  const entry = koffi.decode(pointer, passwd) as {
    name: string;
    uid: number;
    gid: number;
    directory: string;
  };
  return { name: entry.name, uid: entry.uid, gid: entry.gid, home: entry.directory };
}

/** NGROUPS_MAX of the kernel. If the array is too small, libc truncates the list instead of failing. */
const MAX_GROUPS = 65_536;

/** All groups of a user, the primary one included. */
export function groupsOf(name: string, gid: number): number[] {
  const groups = new Uint32Array(MAX_GROUPS);
  const count = new Int32Array([MAX_GROUPS]);
  raw.getgrouplist(name, gid, groups, count);
  return Array.from(groups.subarray(0, Math.max(0, Math.min(count[0] ?? 0, MAX_GROUPS))));
}

/** Whether the file has capabilities of its own (`setcap`). */
export function hasFileCapabilities(path: string): boolean {
  return checkErrno('getxattr', Number(raw.getxattr(path, 'security.capability', null, 0))).ok;
}
