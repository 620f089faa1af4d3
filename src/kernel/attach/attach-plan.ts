import {
  BIO_COMPLETE,
  BIO_QUEUE,
  COUNTS_WAITING,
  DIRTY_FOLIO,
  DIRTY_PAGE,
  GETRQ,
  IO_START,
  REQUEST_TRACEPOINTS,
  type Tracepoint,
} from './drift.ts';
import type { Btf } from '../abi/btf.ts';
import type { MissingTracepoint } from './trace-handover.ts';

/** Which programs of the object to load, and what this kernel does not report. */
export interface AttachPlan {
  readonly programs: readonly string[];
  readonly ownerByBio: boolean;
  /** Whether times start when the bio is queued; if not, they start when it gets a request. */
  readonly seesQueue: boolean;
  /** Whether I/O of devices without requests is traced. */
  readonly seesVolumes: boolean;
  /** Whether it is noted who dirties a page. */
  readonly seesWriters: boolean;
  readonly missing: readonly MissingTracepoint[];
  /** See `TraceHandover`. */
  readonly countsWaiting: boolean;
}

export const ALL_PROGRAMS: readonly string[] = [
  BIO_QUEUE,
  IO_START,
  GETRQ,
  DIRTY_PAGE,
  DIRTY_FOLIO,
  ...REQUEST_TRACEPOINTS,
  ...BIO_COMPLETE,
].flatMap(({ programByArguments }) => Object.values(programByArguments));

/** Looks up in the kernel's types which tracepoints exist. Those in `without` are treated as missing. */
export function planAttach(
  btf: Pick<Btf, 'tracepointArguments' | 'hasFunction'>,
  without: readonly string[] = [],
): AttachPlan {
  const missing: MissingTracepoint[] = [];
  const isPresent = ({ name }: Tracepoint): boolean =>
    !without.includes(name) && btf.tracepointArguments(name) !== undefined;
  const choose = ({ name, programByArguments, lost }: Tracepoint): string | undefined => {
    const count = without.includes(name) ? undefined : btf.tracepointArguments(name);
    const program = programByArguments[count ?? -1];
    const isKnown = missing.some(({ tracepoint }) => tracepoint === name);
    if (program === undefined && !isKnown) missing.push({ tracepoint: name, lost });
    return program;
  };
  const queue = choose(BIO_QUEUE);
  const start = choose(IO_START);
  const owner = start ?? choose(GETRQ);
  const dirty = choose(isPresent(DIRTY_PAGE) ? DIRTY_PAGE : DIRTY_FOLIO);
  const ends = BIO_COMPLETE.map(choose);
  const seesVolumes = queue !== undefined && ends.every((program) => program !== undefined);
  const programs = [
    ...[queue, owner, dirty],
    ...REQUEST_TRACEPOINTS.map(choose),
    // The last one is attached first, and runs first.
    ...(seesVolumes ? ends.toReversed() : []),
  ];
  return {
    programs: programs.filter((program) => program !== undefined),
    ownerByBio: start === undefined,
    seesQueue: queue !== undefined,
    seesVolumes,
    seesWriters: dirty !== undefined,
    missing,
    countsWaiting: btf.hasFunction(COUNTS_WAITING),
  };
}
