import type { CommandName } from '../options/command-names.ts';

/**
 * What a task does with the privileges that it was started with, for example by `sudo`.
 *
 * - `nothing`: drops them before any file is opened.
 * - `attach`: loads and attaches the kernel programs, then drops them, before it opens anything that the
 *   caller named. Keeps them with `--stay-root`; files then belong to root.
 * - `trial`: loads and attaches for a trial, reads what the kernel reports, prints, and ends; opens
 *   nothing that the caller named.
 * - `descriptor`: opens one disk that nothing uses, then drops them.
 */
export type PrivilegeNeed = 'nothing' | 'attach' | 'trial' | 'descriptor';

/** A command, or a variant of it where its options change the need. */
export type Task =
  CommandName | 'record of a pattern' | 'paint over data' | 'help or version' | 'usage error';

/** Total: a command without an entry does not compile. */
export const PRIVILEGE_TABLE: Readonly<Record<Task, PrivilegeNeed>> = {
  live: 'attach',
  record: 'attach',
  doctor: 'trial',
  paint: 'descriptor',
  demo: 'nothing',
  replay: 'nothing',
  export: 'nothing',
  report: 'nothing',
  note: 'nothing',
  completion: 'nothing',
  'record of a pattern': 'nothing',
  'paint over data': 'nothing',
  'help or version': 'nothing',
  'usage error': 'nothing',
};

/** The need of a command by its name alone, before its options are parsed. */
export function needByName(name: string | undefined): PrivilegeNeed | undefined {
  return name !== undefined && Object.hasOwn(PRIVILEGE_TABLE, name)
    ? PRIVILEGE_TABLE[name as Task]
    : undefined;
}
