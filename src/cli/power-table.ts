import type { CommandName } from './option-spec.ts';

/**
 * What a task does with the power that it was started with, as by `sudo`.
 *
 * - `nothing`: drops it before any file is opened.
 * - `attach`: loads and attaches the kernel programs, then drops it, before it opens anything that the
 *   caller named. Keeps it with `--stay-root`, and then gives nothing away.
 * - `trial`: loads and attaches for a trial, reads what the kernel tells of itself, prints, and ends;
 *   opens nothing that the caller named.
 * - `descriptor`: opens one disk that nobody uses, then drops it.
 */
export type PowerNeed = 'nothing' | 'attach' | 'trial' | 'descriptor';

/** A command, or what its options make of it where that changes the need. */
export type Task =
  CommandName | 'record of a pattern' | 'paint over data' | 'help or version' | 'usage error';

/** Total: a command without an entry does not compile. */
export const POWER_TABLE: Readonly<Record<Task, PowerNeed>> = {
  live: 'attach',
  record: 'attach',
  doctor: 'trial',
  paint: 'descriptor',
  demo: 'nothing',
  replay: 'nothing',
  export: 'nothing',
  report: 'nothing',
  'record of a pattern': 'nothing',
  'paint over data': 'nothing',
  'help or version': 'nothing',
  'usage error': 'nothing',
};

/** The need of a command whose name comes first, before anything else is known of it. */
export function needByName(name: string | undefined): PowerNeed | undefined {
  return name !== undefined && Object.hasOwn(POWER_TABLE, name)
    ? POWER_TABLE[name as Task]
    : undefined;
}
