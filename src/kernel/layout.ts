/**
 * Where things lie in what the kernel programs write: `bpf/ioheat.h` in TypeScript. Offsets in bytes
 * unless the name says words (of 32 bits). A test compares them with the types in the object file.
 */
export const Completion = {
  bytes: 80,
  words: {
    completeNs: 0,
    deviceNs: 2,
    queueNs: 4,
    sector: 6,
    bytes: 8,
    dev: 9,
    cmdFlags: 10,
    tgid: 11,
    tid: 12,
    /** Low 16 bits: error, signed; high 16 bits: `CompletionFlag`s. */
    errorAndFlags: 13,
    cgroup: 14,
    comm: 16,
  },
  commBytes: 16,
} as const;

export const CompletionFlag = {
  /** These two equal `IdentityMark`. */
  marks: 3,
  noStart: 1 << 8,
  noIssue: 1 << 9,
} as const;

export const Inflight = {
  bytes: 64,
  offsets: {
    name: 0,
    startNs: 8,
    issueNs: 16,
    cgroup: 24,
    comm: 32,
    tgid: 48,
    tid: 52,
    dev: 56,
    state: 60,
  },
  /** Bits 8 and 9 of `state` are the first two `IdentityMark`s. */
  stateMarkShift: 8,
} as const;

export const EPOCHS = 8;
/** An epoch is 2^30 ns: 1.07 s. */
export const EPOCH_SHIFT = 30;
export const EPOCH_NS = 2 ** EPOCH_SHIFT;
export const SIZE_BINS = 464;

const HISTOGRAMS = 72;
export const Summary = {
  bytes: HISTOGRAMS + 4 * (3 * 624 + SIZE_BINS + 256),
  offsets: {
    begun: 0,
    count: 8,
    bytes: 16,
    errors: 24,
    deviceNs: 32,
    queueNs: 40,
    maxDeviceNs: 48,
    maxQueueNs: 56,
    maxEpoch: 64,
    device: HISTOGRAMS,
    queue: HISTOGRAMS + 4 * 624,
    total: HISTOGRAMS + 4 * 624 * 2,
    size: HISTOGRAMS + 4 * 624 * 3,
    offset: HISTOGRAMS + 4 * (624 * 3 + SIZE_BINS),
  },
} as const;

/** Entries of either list of a filter. */
export const FILTER_ENTRIES = 16;
export const SUMMARY_DEVICES = 64;

export const Control = {
  bytes: 808,
  words: { activeFilter: 0, filters: 2, devices: 74 },
  filter: {
    words: 36,
    devCount: 0,
    tgidCount: 1,
    opClasses: 2,
    enabled: 3,
    devs: 4,
    tgids: 20,
  },
  device: { words: 2, dev: 0, offsetShift: 1 },
} as const;

/** 64-bit words of one CPU's counters, in order. */
export const COUNTER_NAMES = [
  'completed',
  'filtered',
  'delivered',
  'summarised',
  'unmatched',
  'partial',
  'held',
  'repeated',
  'overwrittenAtStart',
  'overwrittenAtIssue',
  'noSlotAtStart',
  'noSlotAtIssue',
  'merged',
  'requeued',
  'unsummarised',
  'queueUnseen',
] as const;
export type CounterName = (typeof COUNTER_NAMES)[number];

export const COUNTERS_BYTES = 192;

/** Slots for flush requests, behind the ordinary ones. */
export const FLUSH_SLOTS = 1024;
export const BIO_SLOTS = 4096;

/** Array maps begin each element on a multiple of 8. */
export function mappedBytes(elementBytes: number, entries: number, pageBytes: number): number {
  return Math.ceil((elementBytes * entries) / pageBytes) * pageBytes;
}
