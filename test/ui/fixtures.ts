import type {
  Activity,
  ActivityReport,
  DiskActivity,
  Fidelity,
  ProcessActivity,
} from '../../src/model/activity.ts';
import type { ChromeState } from '../../src/ui/chrome.tsx';
import type { Line } from '../../src/ui/span.ts';
import { lineText } from '../../src/ui/span.ts';
import { DEFAULT_VIEW } from '../../src/view/view-state.ts';

export const ACTIVITY: Activity = {
  readsPerSecond: 812,
  writesPerSecond: 310,
  othersPerSecond: 0,
  readBytesPerSecond: 6.4e6,
  writtenBytesPerSecond: 2.7e6,
  p50Ns: 1.1e6,
  p99Ns: 48e6,
  maxNs: 1.1e9,
  errors: 0,
};

export const PROCESS: ProcessActivity = {
  ...ACTIVITY,
  tgid: 892,
  comm: 'mysqld',
  dev: 8 << 20,
  disk: 'sda',
  waitShare: 0.713,
  indirect: false,
};

export const DISK: DiskActivity = {
  ...ACTIVITY,
  dev: 8 << 20,
  disk: 'sda',
  utilization: 0.97,
  queueDepth: 12.1,
};

const NVME = { dev: 259 << 20, disk: 'nvme0n1' };

export const PROCESSES: readonly ProcessActivity[] = [
  PROCESS,
  {
    ...PROCESS,
    ...NVME,
    tgid: 4_194_303,
    comm: 'postgres',
    readsPerSecond: 11_400,
    writesPerSecond: 2_650,
    readBytesPerSecond: 410e6,
    writtenBytesPerSecond: 88e6,
    p50Ns: 84e3,
    p99Ns: 1.24e6,
    maxNs: 12.4e6,
    waitShare: 0.181,
  },
  {
    ...PROCESS,
    tgid: 61,
    comm: 'kworker/u16:2+f',
    readsPerSecond: 0,
    writesPerSecond: 96.5,
    readBytesPerSecond: 0,
    writtenBytesPerSecond: 0.6e6,
    p99Ns: 31e6,
    maxNs: 88e6,
    waitShare: 0.07,
    indirect: true,
  },
  {
    ...PROCESS,
    ...NVME,
    tgid: undefined,
    comm: '',
    p50Ns: undefined,
    p99Ns: undefined,
    maxNs: undefined,
    waitShare: 0.03,
  },
  {
    ...PROCESS,
    tgid: 20_117,
    comm: 'rsync',
    readsPerSecond: 3.4,
    writesPerSecond: 0.02,
    readBytesPerSecond: 14e3,
    writtenBytesPerSecond: 0,
    p50Ns: 9.2e6,
    p99Ns: 96e6,
    maxNs: 104e6,
    waitShare: 0.006,
    errors: 2,
  },
];

export const DISKS: readonly DiskActivity[] = [
  DISK,
  {
    ...DISK,
    ...NVME,
    readsPerSecond: 11_400,
    writesPerSecond: 2_650,
    readBytesPerSecond: 410e6,
    writtenBytesPerSecond: 88e6,
    p50Ns: 84e3,
    p99Ns: 1.24e6,
    maxNs: 12.4e6,
    utilization: 0.9996,
    queueDepth: 1.3,
  },
  {
    ...DISK,
    dev: 7 << 20,
    disk: 'loop0',
    readsPerSecond: 0,
    writesPerSecond: 0,
    readBytesPerSecond: 0,
    writtenBytesPerSecond: 0,
    p50Ns: undefined,
    p99Ns: undefined,
    maxNs: undefined,
    utilization: undefined,
    queueDepth: 0,
  },
];

export const REPORT: ActivityReport = {
  spanNs: 5e9,
  totals: {
    ...ACTIVITY,
    readsPerSecond: 12_400,
    writesPerSecond: 3_100,
    othersPerSecond: 4,
    readBytesPerSecond: 420e6,
    writtenBytesPerSecond: 92e6,
    p50Ns: 84e3,
    p99Ns: 1.2e6,
    p999Ns: 48e6,
    maxNs: 1.1e9,
  },
  processes: PROCESSES,
  disks: DISKS,
};

export const EMPTY_REPORT: ActivityReport = {
  ...REPORT,
  totals: {
    ...REPORT.totals,
    readsPerSecond: 0,
    writesPerSecond: 0,
    othersPerSecond: 0,
    readBytesPerSecond: 0,
    writtenBytesPerSecond: 0,
    p50Ns: undefined,
    p99Ns: undefined,
    p999Ns: undefined,
    maxNs: undefined,
  },
  processes: [],
  disks: [],
};

export const COMPLETE: Fidelity = { inPicture: 1, inDetail: 1, lost: 0 };

/** 14:02:11 where the tests run. */
export const WALL_MS = Date.UTC(2024, 4, 17, 14, 2, 11);

export const STATE: ChromeState = {
  host: 'db-7.example.net',
  sourceKind: 'live',
  wallMs: WALL_MS,
  view: DEFAULT_VIEW,
  report: REPORT,
  fidelity: COMPLETE,
  filterText: '',
};

/** Lines as text, with the right edge visible. */
export function asText(lines: readonly Line[]): string {
  return lines.map((line) => `${lineText(line)}|\n`).join('');
}

/** Names that try to leave their cell: escapes, line breaks, wide and combining characters. */
export const HOSTILE_NAMES: readonly string[] = [
  '\x1b[2J\x1b[31mred',
  'two\nlines',
  '日本語のプロセス',
  'e\u0301\u0301\u0301',
  '\u202Eevil',
  '\ue000\ue001',
  '\x9b31m',
  '🙂🙂🙂🙂🙂🙂🙂🙂',
  '\0\t\r\b',
];
