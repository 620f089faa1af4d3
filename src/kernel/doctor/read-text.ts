import type { Machine } from './machine.ts';

/** A small text file, or nothing when it cannot be read. */
export function readText(machine: Machine, path: string): string | undefined {
  const reading = machine.read(path);
  return reading.ok ? new TextDecoder().decode(reading.bytes) : undefined;
}
