import { err, type Result } from '../../base/result.ts';
import { planAttach } from '../attach/attach-plan.ts';
import { KERNEL_BTF, parseBtf, type Btf } from '../abi/btf.ts';
import { findJournalTypes, type JournalTypes } from '../attach/journal-types.ts';
import type { MissingTracepoint } from '../attach/trace-handover.ts';
import type { Machine } from './machine.ts';
import { notMounted } from './mount-checks.ts';
import type { DoctorCheck } from './report.ts';

/** The tracepoints, from the one that every figure needs to those that only correct some figures. */
const TRACEPOINTS = [
  'block_rq_complete',
  'block_rq_issue',
  'block_bio_queue',
  'block_io_start',
  'block_getrq',
  'writeback_dirty_folio',
  'writeback_dirty_page',
  'jbd2_handle_stats',
  'jbd2_commit_flushing',
  'block_bio_complete',
  'sched_switch',
  'sys_enter',
  'sys_exit',
  'io_uring_submit_req',
  'io_uring_submit_sqe',
  'io_uring_complete',
  'block_rq_requeue',
  'block_rq_merge',
] as const;

/** Without it no I/O can be shown. */
const ESSENTIAL = 'block_rq_complete';

/** Checks the kernel's BTF, and each tracepoint in it. */
export function checkTracepoints(machine: Machine): DoctorCheck[] {
  const reading = machine.read(KERNEL_BTF);
  if (!reading.ok) {
    const hidden = notMounted(machine).find(({ folder }) => KERNEL_BTF.startsWith(folder));
    const btf = hidden === undefined ? missingBtf(reading.code) : hiddenBtf(hidden.folder);
    return [btf, ...unknownTracepoints()];
  }
  try {
    const btf = parse(reading.bytes);
    if (!btf.ok) return [damagedBtf(btf.error), ...unknownTracepoints()];
    const size = (reading.bytes.byteLength / 1e6).toFixed(1);
    const found = `${KERNEL_BTF}, ${size} MB`;
    const journals = findJournalTypes(btf.value, (path) => {
      const file = machine.read(path);
      return file.ok ? file.bytes : undefined;
    });
    return [{ ...BTF, status: 'ok', found }, ...knownTracepoints(btf.value, journals)];
  } catch (cause) {
    // Offsets in a damaged file can point beyond its end.
    if (!(cause instanceof RangeError)) throw cause;
    return [damagedBtf(cause.message), ...unknownTracepoints()];
  }
}

const BTF = { id: 'btf', label: 'kernel types (BTF)' };

function parse(bytes: Uint8Array): Result<Btf, string> {
  const btf = parseBtf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return btf.ok ? btf : err(btf.error.what);
}

function missingBtf(code: string): DoctorCheck {
  if (code !== 'ENOENT') {
    const remedy = `make ${KERNEL_BTF} readable`;
    return { ...BTF, status: 'fail', found: `${KERNEL_BTF}: ${code}`, remedy };
  }
  const remedy = "boot a kernel built with CONFIG_DEBUG_INFO_BTF=y, such as the distribution's";
  return { ...BTF, status: 'fail', found: `no ${KERNEL_BTF}`, remedy };
}

function hiddenBtf(folder: string): DoctorCheck {
  return { ...BTF, status: 'unknown', found: `not known without ${folder}` };
}

function damagedBtf(why: string): DoctorCheck {
  return { ...BTF, status: 'fail', found: `${KERNEL_BTF} cannot be parsed: ${why}` };
}

function unknownTracepoints(): DoctorCheck[] {
  const found = 'not known without BTF';
  return TRACEPOINTS.map((name) => ({ ...baseOf(name), status: 'unknown', found }));
}

function baseOf(name: string) {
  return { id: `tracepoint-${name}`, label: name };
}

/** Uses the plan that the tracer itself follows. */
function knownTracepoints(btf: Btf, journals: JournalTypes): DoctorCheck[] {
  const { missing } = planAttach(btf, { waits: true, calls: true, journals });
  return TRACEPOINTS.map((name) => {
    const count = btf.tracepointArguments(name) ?? journals.types?.tracepointArguments(name);
    return checkTracepoint(
      name,
      count,
      missing.find(({ tracepoint }) => tracepoint === name),
    );
  });
}

function checkTracepoint(
  name: string,
  count: number | undefined,
  missing: MissingTracepoint | undefined,
): DoctorCheck {
  const base = baseOf(name);
  const shape = count === 1 ? '1 argument' : `${count ?? 0} arguments`;
  if (missing === undefined) {
    return {
      ...base,
      status: 'ok',
      found: count === undefined ? 'absent, not needed here' : shape,
    };
  }
  const { lost, lacks } = missing;
  const but = lacks === undefined ? 'unknown to ioheat' : `but no ${lacks}`;
  const found = count === undefined ? 'absent' : `${shape}, ${but}`;
  return { ...base, status: name === ESSENTIAL ? 'fail' : 'warn', found, lost };
}
