import type { Machine } from './machine.ts';

/** Content of a small text file; undefined when it cannot be read. */
export function readText(machine: Machine, path: string): string | undefined {
  const reading = machine.read(path);
  return reading.ok ? new TextDecoder().decode(reading.bytes) : undefined;
}
