/**
 * What the kernel programs and TypeScript share: offsets and sizes in bytes, lengths of arrays in elements.
 * Generated from the BTF of bpf/ioheat.bpf.o by `make -C bpf`; bpf/ioheat.h says what each name means.
 */

/** CRC-32 of the object, so that a program never runs with one of another version. */
export const OBJECT_CRC32 = 0xacfdf2f9;

export const IoCompletion = {
  bytes: 120,
  offsets: {
    completeNs: 0,
    deviceNs: 8,
    queueNs: 16,
    sector: 24,
    inode: 32,
    fileDev: 40,
    generation: 44,
    fileOffset: 48,
    bytes: 56,
    dev: 60,
    cmdFlags: 64,
    tgid: 68,
    tid: 72,
    error: 76,
    flags: 78,
    cgroup: 80,
    comm: 88,
    via: 104,
  },
  lengths: {
    comm: 16,
    via: 16,
  },
} as const;

export const FileName = {
  bytes: 1056,
  offsets: {
    zero: 0,
    inode: 8,
    fileDev: 16,
    generation: 20,
    flags: 24,
    bytes: 28,
    path: 32,
  },
  lengths: {
    path: 1024,
  },
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
  lengths: {
    comm: 2,
  },
} as const;

export const Extent = {
  bytes: 16,
  offsets: {
    sector: 0,
    bytes: 8,
  },
} as const;

export const FileId = {
  bytes: 32,
  offsets: {
    inode: 0,
    fileDev: 8,
    generation: 12,
    flags: 16,
    offset: 24,
  },
} as const;

export const Via = {
  bytes: 16,
  offsets: {
    comm: 0,
  },
  lengths: {
    comm: 2,
  },
} as const;

export const Summary = {
  bytes: 10440,
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
    device: 72,
    queue: 2568,
    total: 5064,
    size: 7560,
    offset: 9416,
  },
  lengths: {
    device: 624,
    queue: 624,
    total: 624,
    size: 464,
    offset: 256,
  },
} as const;

export const FilterList = {
  bytes: 72,
  offsets: {
    count: 0,
    excludes: 4,
    values: 8,
  },
  lengths: {
    values: 16,
  },
} as const;

export const Filter = {
  bytes: 152,
  offsets: {
    opClasses: 0,
    enabled: 4,
    devs: 8,
    tgids: 80,
  },
} as const;

export const Detail = {
  bytes: 16,
  offsets: {
    slowNs: 0,
    chance: 8,
  },
} as const;

export const SummaryDevice = {
  bytes: 8,
  offsets: {
    dev: 0,
    offsetShift: 4,
  },
} as const;

export const Control = {
  bytes: 856,
  offsets: {
    activeFilter: 0,
    detail: 8,
    callDetail: 24,
    filters: 40,
    devices: 344,
  },
  lengths: {
    filters: 2,
    devices: 64,
  },
} as const;

export const Counters = {
  bytes: 320,
  offsets: {
    completed: 0,
    filtered: 8,
    delivered: 16,
    summarised: 24,
    unmatched: 32,
    partial: 40,
    held: 48,
    repeated: 56,
    overwrittenAtStart: 64,
    overwrittenAtIssue: 72,
    noSlotAtStart: 80,
    noSlotAtIssue: 88,
    merged: 96,
    requeued: 104,
    unsummarised: 112,
    queueUnseen: 120,
    fileUnknown: 128,
    namesUnsent: 136,
    filesMerged: 144,
    volumeIos: 152,
    volumeSummarised: 160,
    volumeUnsummarised: 168,
    volumeLost: 176,
    waitsLost: 184,
    waitsElsewhere: 192,
    waitsForgotten: 200,
    waitsUnseen: 208,
    leftOut: 216,
    callsDelivered: 224,
    callsSummarised: 232,
    callsUnsummarised: 240,
    callsLeftOut: 248,
    callsForgotten: 256,
    callsUnseen: 264,
    firsts: 272,
    firstsEpoch: 280,
  },
} as const;

export const Target = {
  bytes: 11120,
  offsets: {
    slotMask: 0,
    summaryDevices: 4,
    stripeMask: 8,
    ownerByBio: 12,
    seesQueue: 16,
    seesVolumes: 20,
    seesWaits: 24,
    seesThrottled: 28,
    seesFiles: 32,
    seesWriters: 36,
    seesJournals: 40,
    pageShift: 44,
    ownTgid: 48,
    mostFirsts: 52,
    calls: 56,
    wanted: 2104,
    openFlags: 2616,
    creatFlags: 2668,
    uring: 2672,
    volumeSlots: 2928,
  },
  lengths: {
    calls: 512,
    wanted: 512,
    openFlags: 13,
    uring: 64,
    volumeSlots: 4096,
  },
} as const;

export const ReqOp = {
  read: 0,
  write: 1,
  flush: 2,
  discard: 3,
  secureErase: 5,
  writeZeroes: 9,
  drvIn: 34,
} as const;

export const RequestBits = {
  opMask: 255,
  fua: 131072,
  preflush: 262144,
  throttled: 1073741824,
} as const;

export const WaitBits = {
  otherCall: 254,
  openShift: 8,
  callShift: 21,
} as const;

export const SpecialCall = {
  unknown: 0,
  pageFault: 1,
} as const;

export const CallBits = {
  idShift: 8,
  idMask: 255,
  fdShift: 16,
  positionShift: 19,
  sizeShift: 22,
  argumentMask: 7,
  filePosition: 7,
  alwaysStorage: 33554432,
  fileStorage: 67108864,
  openShift: 27,
  openCreates: 6,
  openHow: 7,
} as const;

export const WantedBits = {
  wanted: 1,
  opens: 2,
  closes: 4,
  moves: 8,
  pathShift: 4,
} as const;

export const UringShape = {
  file: 0,
  move: 1,
  moveParts: 2,
  range: 3,
  advise: 4,
  truncate: 5,
  firstWithoutFile: 6,
  close: 6,
  splice: 7,
  open: 8,
  stat: 9,
  rename: 10,
  unlink: 11,
  mkdir: 12,
  link: 13,
  symlink: 14,
  attribute: 15,
} as const;

export const OpClass = {
  read: 0,
  write: 1,
  flush: 2,
  discard: 3,
  other: 4,
} as const;

export const Dimension = {
  commLen: 16,
  flushSlots: 1024,
  bioSlots: 4096,
  filterEntries: 16,
  summaryDevices: 64,
  opClasses: 5,
  epochs: 8,
  epochShift: 30,
  subBinBits: 4,
  timeBins: 624,
  sizeBins: 464,
  offsetBins: 256,
  pathNames: 16,
  pathBytes: 768,
  namedFiles: 4096,
  namePlaces: 6,
  scratchPlaces: 2,
  dirtiedSets: 8192,
  transactions: 1024,
  commits: 512,
  fillers: 4,
  comparedBios: 8,
  volumeSetBits: 12,
  volumeSets: 4096,
  waitSets: 8192,
  threadReads: 4096,
  threadThrottles: 4096,
  callSets: 8192,
  firstSets: 4096,
  calls: 512,
  uringSetBits: 12,
  uringSets: 4096,
  openFlags: 13,
  uringCalls: 64,
  uringShapeShift: 16,
  ioLayerShift: 6,
  fileKindShift: 12,
} as const;

export const Layer = {
  disks: 0,
  volumes: 1,
  waits: 2,
  calls: 3,
} as const;

export const IoFlag = {
  ownerUnknown: 1,
  indirect: 2,
  sampled: 4,
  hasVia: 16,
  severalWriters: 32,
  noStart: 256,
  noIssue: 512,
  noSector: 1024,
  otherFiles: 2048,
} as const;

export const FileKind = {
  unknown: 0,
  regular: 1,
  device: 2,
  deviceCache: 3,
  swap: 4,
  metadata: 5,
  journal: 6,
  givenName: 7,
} as const;

export const NameFlag = {
  cut: 1,
  deleted: 2,
  given: 4,
} as const;

export const StateBit = {
  ownerUnknown: 256,
  indirect: 512,
  requeued: 1024,
  progress: 2048,
  hasVia: 4096,
  severalWriters: 8192,
  layerShift: 14,
} as const;
