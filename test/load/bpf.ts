import { closeSync } from 'node:fs';
import koffi from 'koffi';
import { SystemError } from './system.ts';

const bpf = koffi
  .load(null)
  .func('long syscall(long number, long command, void *attributes, long size)') as unknown as (
  number: number,
  command: number,
  attributes: Uint8Array,
  size: number,
) => number;

const BPF = process.arch === 'arm64' ? 280 : 321;
const BPF_PROG_GET_FD_BY_ID = 13;

/** Whether the kernel still holds a BPF program, by its number. */
export function programExists(id: number): boolean {
  const attributes = Buffer.alloc(16);
  attributes.writeUInt32LE(id, 0);
  const fd = bpf(BPF, BPF_PROG_GET_FD_BY_ID, attributes, attributes.length);
  if (fd >= 0) {
    closeSync(fd);
    return true;
  }
  const failure = new SystemError('bpf', koffi.errno());
  if (failure.code !== 'ENOENT') throw failure;
  return false;
}
