import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseDiskstats, type DiskStats } from '../../src/kernel/machine/diskstats.ts';
import { diskstatsSince } from '../load/diskstats-since.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import { layerOf, type Layer } from '../../src/model/layer.ts';
import { openRecording } from '../../src/trace/recording/reading/open-recording.ts';
import { must } from '../must.ts';

const HERE = import.meta.dirname;
/** Between two runs: kernels are large. */
const KERNELS = join('node_modules', '.cache', 'ioheat', 'kernels');
const CONSOLE_BYTES = 2 ** 26;

/** Folders of the kernels that were found, oldest first; needs root once, to install QEMU. */
export function prepareKernels(): readonly string[] {
  const versions = execFileSync('sh', [join(HERE, 'prepare.sh'), KERNELS], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return versions.trim().split('\n');
}

export interface GuestOptions {
  readonly kernel: string;
  /** What runs there; default: `guest.sh`. */
  readonly script?: string;
  /** Of the guest, in MiB. */
  readonly memory?: number;
  /** More words for the kernel's command line. */
  readonly words?: readonly string[];
  /** Controllers of the NVMe disk; default: one, which is the disk. */
  readonly nvmePaths?: number;
}

/** A row of `ioheat export --format ndjson`, as far as it is compared. */
export interface TracedIo {
  readonly device: string;
  readonly pid: number | null;
  readonly comm: string | null;
  readonly op: string;
  readonly sector: number | null;
  readonly bytes: number;
  /** 0 for success. */
  readonly error: number;
  readonly trace_ns: number;
  readonly queue_ns: number | null;
  readonly device_ns: number | null;
  readonly total_ns: number | null;
  /** The kernel thread that submitted it. */
  readonly via: string | null;
  readonly file: string | null;
  readonly file_offset: number | null;
  readonly call: string | null;
  /** Of a call. */
  readonly result: number | null;
  readonly layer: 'disks' | 'volumes';
}

/** What a guest said, by the headings of its script. */
export class GuestReport {
  private readonly sections = new Map<string, string>();
  /** As the guest recorded it. */
  readonly recording: Uint8Array;
  readonly trace: readonly TracedIo[];
  readonly hung: readonly HungIo[];

  constructor(readonly console: string) {
    for (const part of console.replaceAll('\r', '').split(/^== /m).slice(1)) {
      const [heading = '', ...lines] = part.split('\n');
      const [name = '', ...value] = heading.split(' ');
      this.sections.set(name, [...value, ...lines].join('\n').trim());
    }
    this.recording = Buffer.from(this.text('trace'), 'base64');
    this.trace = exported(this.recording);
    this.hung = hungIos(this.recording);
  }

  text(section: string): string {
    const text = this.sections.get(section);
    if (text === undefined) throw new Error(`the guest has no ${section}:\n${this.console}`);
    return text;
  }

  /** Of an export as NDJSON. */
  lines(section: string): readonly TracedIo[] {
    return parseLines(this.text(section));
  }

  /** What the guest's kernel itself counted of a disk while it was traced. */
  stats(disk: string): DiskStats {
    const [before, after] = ['before', 'after'].map((section) =>
      [...parseDiskstats(this.text(section)).values()].find(({ name }) => name === disk),
    );
    if (before === undefined || after === undefined) throw new Error(`the guest has no ${disk}`);
    return diskstatsSince(before, after);
  }

  rows(device: string, op?: string): readonly TracedIo[] {
    return this.trace.filter((io) => io.device === device && (op === undefined || io.op === op));
  }
}

/** Boots the kernel, has the script run there and returns what it said. Takes about a minute. */
export async function runGuest(options: GuestOptions): Promise<GuestReport> {
  const { kernel, script = 'guest.sh', memory = 1500, words = [], nvmePaths = '' } = options;
  const chosen = { MEMORY: String(memory), NVME_PATHS: String(nvmePaths) };
  const { stdout } = await promisify(execFile)(
    join(HERE, 'boot.sh'),
    [join(KERNELS, kernel), join(HERE, script), ...words],
    { maxBuffer: CONSOLE_BYTES, env: { ...process.env, ...chosen } },
  );
  return new GuestReport(stdout);
}

/** What was in flight for a second or longer, the first first. */
export interface HungIo {
  readonly device: string;
  readonly layer: Layer;
  readonly comm: string;
  readonly bytes: number | undefined;
  readonly heldNs: number;
}

function hungIos(recording: Uint8Array): HungIo[] {
  return inFile(recording, (file) => {
    const reader = must(openRecording(file, new IdentityTable()));
    while (reader.next() !== 'ended');
    const names = new Map(reader.devices().map(({ dev, name }) => [dev, name]));
    const spans = reader.inFlight?.spans() ?? [];
    reader.dispose();
    return spans
      .toSorted((a, b) => a.sinceNs - b.sinceNs)
      .map(({ identity, bytes, sinceNs, untilNs }) => ({
        device: names.get(identity.dev) ?? String(identity.dev),
        layer: layerOf(identity),
        comm: identity.comm,
        bytes,
        heldNs: untilNs - sinceNs,
      }));
  });
}

function exported(recording: Uint8Array): TracedIo[] {
  return inFile(recording, (file) => {
    const both = ['--filter', 'layer=disks,volumes'];
    const rows = execFileSync('bin/ioheat', ['export', file, '--format', 'ndjson', ...both], {
      encoding: 'utf8',
      maxBuffer: CONSOLE_BYTES,
    });
    return parseLines(rows);
  });
}

function inFile<T>(recording: Uint8Array, read: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'ioheat-guest-'));
  try {
    const file = join(folder, 'trace.ioheat');
    writeFileSync(file, recording);
    return read(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function parseLines(ndjson: string): TracedIo[] {
  const lines = ndjson.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as TracedIo);
}
