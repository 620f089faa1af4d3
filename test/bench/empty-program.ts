import { arch } from 'node:process';
import { closeSync } from 'node:fs';
import koffi from 'koffi';
import type { Btf } from '../../src/kernel/abi/btf.ts';

/* include/uapi/linux/bpf.h */
const SYS_BPF = arch === 'arm64' ? 280 : 321;
const PROG_LOAD = 5;
const RAW_TRACEPOINT_OPEN = 17;
const PROG_TYPE_TRACING = 26;
const TRACE_RAW_TP = 23;
const ATTRIBUTE_BYTES = 120;

const bpf = koffi
  .load(null)
  .func('long syscall(long number, int command, void *attributes, uint32_t size)') as unknown as (
  number: number,
  command: number,
  attributes: Buffer,
  size: number,
) => number;

function call(command: number, attributes: Buffer): number {
  const fd = bpf(SYS_BPF, command, attributes, attributes.length);
  if (fd < 0) throw new Error(`bpf command ${command}: errno ${koffi.errno()}`);
  return fd;
}

/** Returns 0 and does nothing else: what it costs is what the kernel's bookkeeping costs. */
const INSTRUCTIONS = Buffer.from('b700000000000000' + '9500000000000000', 'hex');
const LICENSE = Buffer.from('Dual MIT/GPL\0');

/** An empty program on a tracepoint. `fd` is the program's. */
export function attachEmpty(btf: Btf, tracepoint: string): { fd: number; dispose: () => void } {
  const load = Buffer.alloc(ATTRIBUTE_BYTES);
  load.writeUInt32LE(PROG_TYPE_TRACING, 0);
  load.writeUInt32LE(INSTRUCTIONS.length / 8, 4);
  load.writeBigUInt64LE(koffi.address(INSTRUCTIONS), 8);
  load.writeBigUInt64LE(koffi.address(LICENSE), 16);
  load.writeUInt32LE(TRACE_RAW_TP, 68);
  load.writeUInt32LE(btf.tracepointType(tracepoint) ?? 0, 108);
  const fd = call(PROG_LOAD, load);
  const open = Buffer.alloc(16);
  open.writeUInt32LE(fd, 8);
  const link = call(RAW_TRACEPOINT_OPEN, open);
  return {
    fd,
    dispose: () => {
      closeSync(link);
      closeSync(fd);
    },
  };
}
