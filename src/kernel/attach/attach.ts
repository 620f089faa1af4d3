import { closeSync, readFileSync } from 'node:fs';
import { isSystemError } from '../../base/system-error.ts';
import { err, ExitCode, ok, type IoheatError, type Result } from '../../base/result.ts';
import { planAttach } from './attach-plan.ts';
import { readKernelBtf } from '../abi/btf.ts';
import { possibleCpus } from '../machine/cpus.ts';
import { listDisks, type Disk } from '../machine/disks.ts';
import { findJournalTypes } from './journal-types.ts';
import type { KernelFilter } from './kernel-filter.ts';
import { openLibbpf } from '../native/libbpf.ts';
import { loadObject } from './load-object.ts';
import { findObject, readObject } from './object-file.ts';
import { handoverFds, type MissingTracepoint, type TraceHandover } from './trace-handover.ts';
import { watchStart } from './start-detail.ts';
import { planSizes, type TraceSizes } from './trace-sizes.ts';

export interface AttachOptions {
  /** A power of two, at least a page. The default depends on the number of processors. */
  readonly ringBytes?: number | undefined;
  /** Whether to trace waits. */
  readonly waits?: boolean;
  /** Whether to trace system calls. */
  readonly calls?: boolean;
  /** Tracepoints to treat as missing. */
  readonly without?: readonly string[];
  readonly objectPath?: string;
  /** The machine's disks, where the caller has listed them. */
  readonly disks?: readonly Disk[];
  /** The filter from the first I/O on; `LiveSource.setFilter` changes it later. */
  readonly filter?: KernelFilter;
  /** See `StartOptions`. Without a budget, all I/Os are delivered individually. */
  readonly budget?: number | undefined;
}

/** Programs attached in the kernel. It holds only descriptors, because libbpf is closed by then. */
export interface Tracer {
  readonly handover: TraceHandover;
  /** All descriptors of `handover`. They close on exec unless the caller changes that. */
  readonly fds: readonly number[];
  readonly attached: readonly string[];
  readonly missing: readonly MissingTracepoint[];
  readonly sizes: TraceSizes;
  /** Messages of libbpf and the verifier, for `--verbose`. */
  readonly log: readonly string[];
  /** Closes the descriptors, which detaches the programs. */
  dispose(): void;
}

/** Loads and attaches the kernel programs. It fails without privileges, for example. */
export function attachTracer(options: AttachOptions = {}): Result<Tracer> {
  const { filter, budget, disks = listDisks() } = options;
  const startDetail = budget === undefined ? undefined : watchStart({ budget, disks, filter });
  const btf = readKernelBtf();
  if (!btf.ok) return btf;
  const journals = findJournalTypes(btf.value, readIfThere);
  const plan = planAttach(btf.value, { ...options, journals });
  if (!plan.programs.includes('complete')) return err(noCompletions());
  const image = readObject(options.objectPath ?? findObject());
  if (!image.ok) return image;
  const libbpf = openLibbpf();
  if (!libbpf.ok) return libbpf;
  const cpus = possibleCpus();
  const sizes = planSizes(disks, cpus, options.ringBytes);
  try {
    const handover = loadObject(libbpf.value, {
      image: image.value,
      ...{ plan, sizes, cpus, filter, disks, startDetail },
    });
    if (!handover.ok) return handover;
    return ok(createTracer(handover.value, sizes, [...libbpf.value.log()]));
  } finally {
    libbpf.value.dispose();
  }
}

function readIfThere(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    return undefined;
  }
}

function noCompletions(): IoheatError {
  return {
    exitCode: ExitCode.cannotTrace,
    what: 'this kernel does not report finished block I/O',
    why: 'tracepoint block_rq_complete is missing or has unknown arguments',
    remedy: 'use a kernel of 5.8 or later with CONFIG_BLOCK and CONFIG_TRACEPOINTS',
  };
}

function createTracer(handover: TraceHandover, sizes: TraceSizes, log: readonly string[]): Tracer {
  const fds = handoverFds(handover);
  return {
    handover,
    fds,
    attached: handover.programs.map(({ name }) => name),
    missing: handover.missing,
    sizes,
    log,
    dispose: () => {
      fds.splice(0).forEach((fd) => {
        closeSync(fd);
      });
    },
  };
}
