import type { Result } from '../../base/result.ts';
import { readTracepoints } from './btf.ts';
import type { Machine } from './machine.ts';
import type { CheckStatus, DoctorCheck } from './report.ts';

const BTF = '/sys/kernel/btf/vmlinux';

interface TracepointNeed {
  readonly name: string;
  /** Argument counts that ioheat has a program for: kernels before 5.11 or so pass the queue, too. */
  readonly counts: readonly number[];
  /** `fail`: nothing can be drawn without it. */
  readonly without: Extract<CheckStatus, 'fail' | 'warn'>;
  readonly lost: string;
  /** Where this one is present, the other is not needed. */
  readonly replacedBy?: string;
}

const NEEDS: readonly TracepointNeed[] = [
  {
    name: 'block_rq_issue',
    counts: [1, 2],
    without: 'fail',
    lost: 'when a request goes to its device, hence every latency',
  },
  {
    name: 'block_rq_complete',
    counts: [3],
    without: 'fail',
    lost: 'when a request ends, hence everything',
  },
  {
    name: 'block_io_start',
    counts: [1],
    without: 'warn',
    lost: 'the process and queue time of I/O whose first bio was split or merged on the way',
  },
  {
    name: 'block_getrq',
    counts: [1, 3],
    without: 'warn',
    lost: 'which process an I/O belongs to, and its queue time',
    replacedBy: 'block_io_start',
  },
  {
    name: 'block_rq_requeue',
    counts: [1, 2],
    without: 'warn',
    lost: 'that a device sent a request back: requeued I/O looks like two',
  },
  {
    name: 'block_rq_merge',
    counts: [1, 2],
    without: 'warn',
    lost: 'that a request was merged into another: it is counted as lost',
  },
];

/** The kernel's own types, and in them each tracepoint. */
export function checkTracepoints(machine: Machine): DoctorCheck[] {
  const reading = machine.read(BTF);
  if (!reading.ok) return [missingBtf(reading.code), ...NEEDS.map(unknownTracepoint)];
  const tracepoints = readTracepoints(
    reading.bytes,
    NEEDS.map((need) => need.name),
  );
  const btf = describeBtf(reading.bytes, tracepoints);
  if (!tracepoints.ok) return [btf, ...NEEDS.map(unknownTracepoint)];
  return [btf, ...NEEDS.map((need) => checkTracepoint(need, tracepoints.value))];
}

const BTF_CHECK = { id: 'btf', label: 'kernel types (BTF)' };

function missingBtf(code: string): DoctorCheck {
  const remedy =
    code === 'ENOENT'
      ? 'boot a kernel built with CONFIG_DEBUG_INFO_BTF=y (the ones of current distributions are)'
      : `make ${BTF} readable`;
  const found = code === 'ENOENT' ? `no ${BTF}` : `${BTF}: ${code}`;
  return { ...BTF_CHECK, status: 'fail', found, remedy };
}

function describeBtf(bytes: Uint8Array, tracepoints: Result<unknown, string>): DoctorCheck {
  if (tracepoints.ok) {
    const size = (bytes.byteLength / 1e6).toFixed(1);
    return { ...BTF_CHECK, status: 'ok', found: `${BTF}, ${size} MB` };
  }
  // libbpf knows kinds of types that came later; only a file that is no BTF at all is fatal.
  const fatal = bytes.byteLength === 0 || !tracepoints.error.includes('kind');
  const found = `${BTF} cannot be understood: ${tracepoints.error}`;
  return { ...BTF_CHECK, status: fatal ? 'fail' : 'unknown', found };
}

function unknownTracepoint(need: TracepointNeed): DoctorCheck {
  return { ...tracepointCheck(need), status: 'unknown', found: 'not known without BTF' };
}

function tracepointCheck(need: TracepointNeed) {
  return { id: `tracepoint-${need.name}`, label: need.name };
}

function checkTracepoint(
  need: TracepointNeed,
  tracepoints: ReadonlyMap<string, number>,
): DoctorCheck {
  const base = tracepointCheck(need);
  const count = tracepoints.get(need.name);
  if (count !== undefined && need.counts.includes(count)) {
    return { ...base, status: 'ok', found: `${count} ${count === 1 ? 'argument' : 'arguments'}` };
  }
  const known = need.counts.join(' or ');
  const found = count === undefined ? 'absent' : `${count} arguments, where ${known} are known`;
  if (need.replacedBy !== undefined && tracepoints.has(need.replacedBy)) {
    return { ...base, status: 'ok', found: `${found}, not needed beside ${need.replacedBy}` };
  }
  return { ...base, status: need.without, found, lost: need.lost };
}
