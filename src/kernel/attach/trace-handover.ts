import { err, ExitCode, ok, type Result } from '../../base/result.ts';

/**
 * Descriptors and sizes, passed as JSON to an unprivileged process that inherits the descriptors and reads the trace.
 */
export interface TraceHandover {
  readonly version: typeof HANDOVER_VERSION;
  /** Start of the trace, see `ClockBase`; in decimal digits, because JSON has no bigint. */
  readonly monotonicNs: string;
  readonly wallNs: string;
  readonly ring: { readonly fd: number; readonly bytes: number };
  readonly inflight: { readonly fd: number; readonly slots: number };
  /** The extents of requests in flight, with an entry for each slot of `inflight`. */
  readonly extents: { readonly fd: number };
  /** The files of requests in flight, by slot; absent where the programs cannot read files. */
  readonly files?: { readonly fd: number };
  /** The kernel threads that submitted them, by slot; absent where the programs do not note writers. */
  readonly vias?: { readonly fd: number };
  readonly summaries: { readonly fd: number; readonly devices: number; readonly stripes: number };
  readonly counters: { readonly fd: number; readonly cpus: number };
  readonly control: { readonly fd: number };
  /** They are kept open, because the kernel detaches a program when the last descriptor of its link closes. */
  readonly links: readonly number[];
  /** Their `/proc/self/fdinfo` shows how often the kernel skipped each. */
  readonly programs: readonly ProgramHandle[];
  readonly missing: readonly MissingTracepoint[];
  /**
   * Whether the kernel's number of I/Os in flight includes those that wait in the block layer, such as a write that
   * waits for a flush. No kernel counts the flush itself.
   */
  readonly countsWaiting: boolean;
}

export interface ProgramHandle {
  readonly name: string;
  readonly fd: number;
}

/** A tracepoint that this kernel lacks, and what is unknown without it. */
export interface MissingTracepoint {
  readonly tracepoint: string;
  readonly lost: string;
  /** What else the kernel lacks, if it has the tracepoint. */
  readonly lacks?: string;
  /** Why the kernel refused the program, if it lacks nothing. */
  readonly refusal?: string;
}

export const HANDOVER_VERSION = 1;

/** Every descriptor of a handover. */
export function handoverFds(handover: TraceHandover): number[] {
  const { ring, inflight, extents, files, vias, summaries, counters, control } = handover;
  const maps = [ring, inflight, extents, summaries, counters, control];
  const known = [files, vias].filter((map) => map !== undefined);
  return [...maps, ...known, ...handover.programs].map(({ fd }) => fd).concat(handover.links);
}

/** The program of completions: each of its skipped runs is one lost I/O. */
export function completionProgram({ programs }: TraceHandover): ProgramHandle | undefined {
  return programs.find(({ name }) => name === 'complete');
}

/**
 * Descriptors that stay open after the maps are mapped. A mapping keeps its map alive, and without the descriptor a
 * read-only mapping cannot become writable. A link keeps its program alive, but needs its descriptor.
 */
export function heldFds(handover: TraceHandover): number[] {
  const completion = completionProgram(handover);
  return [...handover.links, ...(completion === undefined ? [] : [completion.fd])];
}

/** Checks a handover that another process wrote. */
export function parseTraceHandover(value: unknown): Result<TraceHandover> {
  if (isTraceHandover(value)) return ok(value);
  return err({
    exitCode: ExitCode.failed,
    what: 'cannot parse what the first stage handed over',
    remedy: 'start ioheat again',
  });
}

function isTraceHandover(value: unknown): value is TraceHandover {
  return (
    hasNumbers(value, 'version') &&
    (value as { version: number }).version === HANDOVER_VERSION &&
    [field(value, 'monotonicNs'), field(value, 'wallNs')].every(isDecimal) &&
    hasNumbers(field(value, 'ring'), 'fd', 'bytes') &&
    hasNumbers(field(value, 'inflight'), 'fd', 'slots') &&
    hasNumbers(field(value, 'extents'), 'fd') &&
    ['files', 'vias'].every((name) =>
      isAbsentOr(field(value, name), (map) => hasNumbers(map, 'fd')),
    ) &&
    hasNumbers(field(value, 'summaries'), 'fd', 'devices', 'stripes') &&
    hasNumbers(field(value, 'counters'), 'fd', 'cpus') &&
    hasNumbers(field(value, 'control'), 'fd') &&
    isArrayOf(field(value, 'links'), Number.isInteger) &&
    isArrayOf(field(value, 'programs'), (program) => hasNumbers(program, 'fd')) &&
    typeof field(value, 'countsWaiting') === 'boolean' &&
    isArrayOf(field(value, 'missing'), (one) => typeof field(one, 'lost') === 'string')
  );
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function hasNumbers(value: unknown, ...names: string[]): boolean {
  return names.every((name) => Number.isInteger(field(value, name)));
}

function isDecimal(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,20}$/.test(value);
}

function isAbsentOr(value: unknown, check: (present: unknown) => boolean): boolean {
  return value === undefined || check(value);
}

function isArrayOf(value: unknown, check: (element: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(check);
}
