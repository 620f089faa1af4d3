import {
  AUDIT,
  callNumber,
  KNOWN_END,
  type Architecture,
  type SystemCall,
} from './call-numbers.ts';
import type { ArgumentCase, CallRule, CallRules, Verdict } from './filter-code.ts';
import { KILLED, USED, USED_ELSEWHERE } from './system-calls.ts';

const EPERM = 1;
const ENOSYS = 38;

/** As if the kernel lacked the call; libc and libuv handle that. */
const ABSENT: Verdict = { errno: ENOSYS };
const REFUSED: Verdict = { errno: EPERM };
/** The same on both architectures. */
const SIGTSTP = 20;

const ALLOW: CallRule = { verdict: 'allow' };
const KILL: CallRule = { verdict: 'kill' };

/** `linux/sched.h`: a thread of this process, not in a new namespace. */
const CLONE_THREAD = 0x0001_0000;
const CLONE_NEW = 0x7e02_0080;

/** `asm-generic/ioctls.h`, the same on both architectures. */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const TERMINAL_REQUESTS = [
  // TCGETS, TCSETS, TCSETSW, TCSETSF
  0x5401, 0x5402, 0x5403, 0x5404,
  // TCGETS2 and its three, which glibc uses since 2.42
  0x802c_542a, 0x402c_542b, 0x402c_542c, 0x402c_542d,
  // TIOCGWINSZ, TIOCGPTN
  0x5413, 0x8004_5430,
];
/** FIONBIO, FIONCLEX, FIOCLEX: what libuv sets on every descriptor. */
const DESCRIPTOR_REQUESTS = [0x5421, 0x5450, 0x5451];

/** `linux/fcntl.h`: F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC. */
const FCNTL_COMMANDS = [0, 1, 2, 3, 4, 1030];

/** `linux/prctl.h`: PR_SET_NAME, PR_GET_NAME, PR_SET_VMA: names of threads and of memory. */
const PRCTL_OPTIONS = [15, 16, 0x5356_4d41];

function onlyWith(argument: number, values: readonly number[]): CallRule {
  return { cases: [{ argument, values, verdict: 'allow' }], verdict: REFUSED };
}

function unlessElse(argument: number, values: readonly number[], upper = false): ArgumentCase {
  return { argument, values, upper, others: true, verdict: REFUSED };
}

/** Calls that are decided by their arguments. `pid`: the confined process. */
function special(pid: number): Partial<Record<SystemCall, CallRule>> {
  const threads = { argument: 0, mask: CLONE_THREAD | CLONE_NEW, values: [CLONE_THREAD] };
  return {
    clone: { cases: [{ ...threads, verdict: 'allow' }], verdict: REFUSED },
    // Its flags are in memory, which filters cannot read; libc then uses clone.
    clone3: { verdict: ABSENT },
    io_uring_setup: { verdict: ABSENT },
    ioctl: {
      cases: [
        { argument: 1, values: [TIOCSTI, TIOCLINUX], verdict: 'kill' },
        { argument: 1, values: [...TERMINAL_REQUESTS, ...DESCRIPTOR_REQUESTS], verdict: 'allow' },
      ],
      verdict: REFUSED,
    },
    fcntl: onlyWith(1, FCNTL_COMMANDS),
    prctl: onlyWith(0, PRCTL_OPTIONS),
    // 0: the process group, which Ctrl-Z stops.
    kill: {
      cases: [
        { argument: 0, values: [pid], verdict: 'allow' },
        unlessElse(0, [0]),
        { argument: 1, values: [SIGTSTP], verdict: 'allow' },
      ],
      verdict: REFUSED,
    },
    tgkill: onlyWith(0, [pid]),
    // PRIO_PROCESS, of this process: `ioheat paint` raises its own priority.
    setpriority: { cases: [unlessElse(0, [0]), unlessElse(1, [0, pid])], verdict: 'allow' },
    // Reading limits of this process is allowed, setting them is not.
    prlimit64: {
      cases: [unlessElse(0, [0, pid]), unlessElse(2, [0]), unlessElse(2, [0], true)],
      verdict: 'allow',
    },
  };
}

/** What a confined process may do. */
export function confinedCalls(architecture: Architecture, pid: number): CallRules {
  const allowed = [...USED, ...(Object.keys(USED_ELSEWHERE) as (keyof typeof USED_ELSEWHERE)[])];
  const rules: readonly (readonly [SystemCall, CallRule])[] = [
    ...allowed.map((call) => [call, ALLOW] as const),
    ...KILLED.map((call) => [call, KILL] as const),
    ...(Object.entries(special(pid)) as [SystemCall, CallRule][]),
  ];
  return { ...numbered(architecture, rules), known: REFUSED };
}

/**
 * Denied before the program executes itself: otherwise its event loop would have an io_uring ring, whose operations
 * no filter sees.
 */
export function callsWithoutRings(architecture: Architecture): CallRules {
  const rules: readonly (readonly [SystemCall, CallRule])[] = [
    ['io_uring_setup', { verdict: ABSENT }],
  ];
  return { ...numbered(architecture, rules), known: 'allow', unknown: 'allow' };
}

function numbered(
  architecture: Architecture,
  rules: readonly (readonly [SystemCall, CallRule])[],
): Omit<CallRules, 'known'> {
  const byNumber = rules.flatMap(([call, rule]) => {
    const number = callNumber(call, architecture);
    return number === undefined ? [] : [[number, rule] as const];
  });
  const audit = AUDIT[architecture];
  return { audit, rules: new Map(byNumber), end: KNOWN_END, unknown: ABSENT };
}
