import koffi from 'koffi';
import { err, ok, type Result } from '../../base/result.ts';
import { ARCHITECTURES, callNumber, type Architecture } from './filter/call-numbers.ts';
import { callsWithoutRings, confinedCalls } from './filter/call-rules.ts';
import { encode, filterCode, type CallRules } from './filter/filter-code.ts';
import { hasRings } from './rings.ts';
import { checkErrno, formatSyscallError, prctl, type SyscallError } from '../native/syscalls.ts';

const PR_SET_NO_NEW_PRIVS = 38;

/* linux/seccomp.h */
const SECCOMP_SET_MODE_FILTER = 1;
/** Applies to all threads of the process, including V8's and libuv's, or to none. */
const FLAG_TSYNC = 1;
/** Before 5.16, a filter disables a speculation of the processor, which slows V8 down a lot. */
const FLAG_SPEC_ALLOW = 4;

const syscall = koffi
  .load(null)
  .func('long syscall(long number, unsigned long a, unsigned long b, void *c)');

/** Whether the system calls of this process are filtered now; if not, why not. */
export type Confinement = Result<undefined, string>;

/**
 * After this, no thread of this process can do more than draw, compute, and read and write files: see
 * `docs/threat-model.md`. Call it after the last child process has been started and before any outside data is read. It
 * cannot be undone.
 */
export function confine(): Confinement {
  const architecture = ownArchitecture();
  if (architecture === undefined) return err(`no list of system calls for ${process.arch}`);
  const rings = hasRings();
  if (rings === undefined) return err('/proc does not show whether io_uring is in use');
  if (rings) return err('io_uring is in use, which bypasses system call filters');
  return install(confinedCalls(architecture, process.pid), architecture);
}

/** Called before this process executes itself: keeps the event loop of the new program from using io_uring. */
export function keepRingsAway(): Confinement {
  const architecture = ownArchitecture();
  if (architecture === undefined) return err(`no list of system calls for ${process.arch}`);
  return install(callsWithoutRings(architecture), architecture);
}

function ownArchitecture(): Architecture | undefined {
  return ARCHITECTURES.find((one) => one === process.arch);
}

function install(calls: CallRules, architecture: Architecture): Confinement {
  const barred = prctl('no_new_privs', PR_SET_NO_NEW_PRIVS, 1);
  if (!barred.ok) return err(formatSyscallError(barred.error));
  const set = setFilter(encode(filterCode(calls)), callNumber('seccomp', architecture));
  if (!set.ok) return err(formatSyscallError(set.error));
  return set.value === 0 ? ok(undefined) : err(`thread ${set.value} has a filter of its own`);
}

function setFilter(code: Buffer, number: number | undefined): Result<number, SyscallError> {
  // struct sock_fprog: number of instructions, and pointer to them.
  const program = Buffer.alloc(16);
  program.writeUInt16LE(code.length / 8, 0);
  program.writeBigUInt64LE(koffi.address(code), 8);
  const flags = FLAG_TSYNC | FLAG_SPEC_ALLOW;
  const rc = Number(syscall(number, SECCOMP_SET_MODE_FILTER, flags, program));
  const checked = checkErrno('seccomp', rc);
  return checked;
}
