/** What the kernel does with a system call: run it, fail with an errno, or end the process by SIGSYS. */
export type Verdict = 'allow' | 'kill' | { readonly errno: number };

/** A condition on an argument of a call, with the verdict if it applies. */
export interface ArgumentCase {
  /** 0 to 5. */
  readonly argument: number;
  /** The upper 32 bits instead of the lower: the kernel's `int` arguments ignore them. */
  readonly upper?: boolean;
  readonly mask?: number;
  readonly values: readonly number[];
  /** Applies to all values except those listed. */
  readonly others?: boolean;
  readonly verdict: Verdict;
}

/** The first case that applies decides, else `verdict`. */
export interface CallRule {
  readonly cases?: readonly ArgumentCase[];
  readonly verdict: Verdict;
}

/** The calls of one architecture, by number. */
export interface CallRules {
  /** AUDIT_ARCH_* of `linux/audit.h`; calls of another architecture end the process. */
  readonly audit: number;
  /** Consecutive calls with the same object share instructions. */
  readonly rules: ReadonlyMap<number, CallRule>;
  /** The verdict on calls below `end` that have no rule. */
  readonly known: Verdict;
  /** The highest number that was considered, plus one. */
  readonly end: number;
  /** The verdict on calls from `end` on. */
  readonly unknown: Verdict;
}

/** `struct sock_filter`. */
export interface Instruction {
  readonly code: number;
  readonly jt: number;
  readonly jf: number;
  readonly k: number;
}

const INSTRUCTION_BYTES = 8;

/** `linux/bpf_common.h`, as combined by seccomp filters. */
export const Op = {
  load: 0x20,
  and: 0x54,
  jump: 0x05,
  jumpEqual: 0x15,
  jumpAtLeast: 0x35,
  ret: 0x06,
} as const;

/** `struct seccomp_data`, with the lower half of an argument first: both architectures are little-endian. */
const OFFSET = { number: 0, arch: 4, arguments: 16 } as const;

/** `linux/seccomp.h`. */
export const Action = { kill: 0x8000_0000, errno: 0x0005_0000, allow: 0x7fff_0000 } as const;

/** Longer jumps need an instruction of their own. */
const MAX_JUMP = 255;

/** From here on, x86-64 numbers the calls of its other ABI (x32); arm64 uses no such numbers. */
const X32 = 0x4000_0000;

/**
 * A binary search over the call number. Kernels since 5.11 cache which calls are allowed with any arguments and skip
 * the filter for them (`seccomp_cache_prepare`), so only the others take the time of the search.
 */
export function filterCode(calls: CallRules): Instruction[] {
  return [
    { code: Op.load, jt: 0, jf: 0, k: OFFSET.arch },
    { code: Op.jumpEqual, jt: 1, jf: 0, k: calls.audit },
    give('kill'),
    { code: Op.load, jt: 0, jf: 0, k: OFFSET.number },
    ...search(stretches(calls)),
  ];
}

/** Consecutive numbers from `from` up to the next stretch, with the same rule. */
interface Stretch {
  readonly from: number;
  readonly code: readonly Instruction[];
}

function stretches({ rules, known, end, unknown }: CallRules): Stretch[] {
  const found: Stretch[] = [];
  const byDefault = { verdict: known };
  let last: CallRule | undefined;
  const add = (from: number, rule: CallRule): void => {
    if (rule !== last) found.push({ from, code: ruleCode(rule) });
    last = rule;
  };
  for (let number = 0; number < end; number++) add(number, rules.get(number) ?? byDefault);
  add(end, { verdict: unknown });
  add(X32, { verdict: 'kill' });
  return found;
}

function search(among: readonly Stretch[]): Instruction[] {
  const [only] = among;
  if (only !== undefined && among.length === 1) return [...only.code];
  const middle = among.length >> 1;
  const below = search(among.slice(0, middle));
  const above = search(among.slice(middle));
  const k = among[middle]?.from ?? 0;
  if (below.length <= MAX_JUMP)
    return [{ code: Op.jumpAtLeast, jt: below.length, jf: 0, k }, ...below, ...above];
  const far = { code: Op.jump, jt: 0, jf: 0, k: below.length };
  return [{ code: Op.jumpAtLeast, jt: 0, jf: 1, k }, far, ...below, ...above];
}

function ruleCode({ cases = [], verdict }: CallRule): Instruction[] {
  return [...cases.flatMap(caseCode), give(verdict)];
}

function caseCode(one: ArgumentCase): Instruction[] {
  const { argument, upper = false, mask, values, others = false, verdict } = one;
  const k = OFFSET.arguments + 8 * argument + (upper ? 4 : 0);
  const load = { code: Op.load, jt: 0, jf: 0, k };
  const and = mask === undefined ? [] : [{ code: Op.and, jt: 0, jf: 0, k: mask }];
  const compare = values.map((value, index) => {
    const left = values.length - 1 - index;
    const isLast = left === 0;
    // A listed value skips the remaining comparisons, and the verdict if that is for unlisted values.
    if (others) return { code: Op.jumpEqual, jt: left + 1, jf: 0, k: value };
    return { code: Op.jumpEqual, jt: left, jf: isLast ? 1 : 0, k: value };
  });
  return [load, ...and, ...compare, give(verdict)];
}

function give(verdict: Verdict): Instruction {
  return { code: Op.ret, jt: 0, jf: 0, k: actionOf(verdict) };
}

function actionOf(verdict: Verdict): number {
  return typeof verdict === 'string' ? Action[verdict] : Action.errno | verdict.errno;
}

/** Encodes instructions in the binary format of the kernel. */
export function encode(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * INSTRUCTION_BYTES);
  instructions.forEach(({ code, jt, jf, k }, index) => {
    const at = index * INSTRUCTION_BYTES;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(jt, at + 2);
    bytes.writeUInt8(jf, at + 3);
    bytes.writeUInt32LE(k >>> 0, at + 4);
  });
  return bytes;
}
