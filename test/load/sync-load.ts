import { closeSync, fdatasyncSync, readSync, writeSync } from 'node:fs';
import type { LoopDevice } from './loop-device.ts';
import { alignedMemory } from './system.ts';

export interface MeasuredIo {
  readonly offset: number;
  readonly bytes: number;
  /** CLOCK_MONOTONIC, ns, right before the call and right after. */
  readonly startNs: bigint;
  readonly endNs: bigint;
  /** As the system call failed; absent when it did not. */
  readonly errno?: string;
}

export type SyncIo =
  | { readonly kind: 'read' | 'write'; readonly offset: number; readonly bytes: number }
  | { readonly kind: 'fdatasync' };

const MAX_BYTES = 1 << 20;

/** One I/O after the other, each timed by itself. */
export function runSync(
  device: Pick<LoopDevice, 'openDirect'>,
  ios: Iterable<SyncIo>,
  openFlags = 0,
): MeasuredIo[] {
  const fd = device.openDirect(openFlags);
  const memory = alignedMemory(MAX_BYTES);
  const buffer = Buffer.from(memory.buffer);
  try {
    return Array.from(ios, (io) => measure(fd, buffer, io));
  } finally {
    closeSync(fd);
    memory.dispose();
  }
}

function measure(fd: number, buffer: Buffer, io: SyncIo): MeasuredIo {
  const place = io.kind === 'fdatasync' ? { offset: 0, bytes: 0 } : io;
  const startNs = process.hrtime.bigint();
  try {
    perform(fd, buffer, io);
    return { ...timed(place, startNs) };
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause)) throw cause;
    return { ...timed(place, startNs), errno: String(cause.code) };
  }
}

function timed(place: { offset: number; bytes: number }, startNs: bigint): MeasuredIo {
  return { offset: place.offset, bytes: place.bytes, startNs, endNs: process.hrtime.bigint() };
}

function perform(fd: number, buffer: Buffer, io: SyncIo): void {
  switch (io.kind) {
    case 'read':
      readSync(fd, buffer, 0, io.bytes, io.offset);
      return;
    case 'write':
      writeSync(fd, buffer, 0, io.bytes, io.offset);
      return;
    case 'fdatasync':
      fdatasyncSync(fd);
  }
}
