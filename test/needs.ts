import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import { delimiter, join } from 'node:path';
import type { TestOptions } from 'vitest';
import { findCgroupRoot } from '../src/kernel/machine/cgroups.ts';
import { MISSED_IO } from './missed.ts';

declare module '@vitest/runner' {
  interface TaskMeta {
    /** Why a test was skipped; the reporter counts tests by it. */
    lacks?: string;
  }
}

/** `tracing`: load eBPF programs and attach loop devices; `cgroups`: create a cgroup; `zram`: make disks of that kind. */
export type Need =
  | 'root'
  | 'tracing'
  | 'cgroups'
  | 'zram'
  | 'Node 20 on x64'
  | 'PostgreSQL'
  | 'ClickHouse'
  | { readonly program: string }
  | { readonly fileSystem: string };

/** Where the kernel makes disks in memory that take bios and make no requests. */
const ZRAM = '/sys/class/zram-control/hot_add';
const BTF = '/sys/kernel/btf/vmlinux';
/** Where Debian has the programs of each version. */
const POSTGRES_VERSIONS = '/usr/lib/postgresql';

/** The programs of PostgreSQL's newest version; undefined where it is not installed. */
export const POSTGRES_PROGRAMS = existsSync(POSTGRES_VERSIONS)
  ? readdirSync(POSTGRES_VERSIONS)
      .toSorted((a, b) => Number(a) - Number(b))
      .map((version) => join(POSTGRES_VERSIONS, version, 'bin'))
      .findLast((folder) => existsSync(join(folder, 'initdb')))
  : undefined;

/** The module of ClickHouse, which test/setup.sh installs; undefined where it, or its library for this processor, is not. */
export const CLICKHOUSE = pathIf(
  join(import.meta.dirname, 'tools/clickhouse/node_modules/chdb'),
  `../@chdb/lib-linux-${process.arch}-gnu`,
);

function pathIf(path: string, part: string): string | undefined {
  return existsSync(join(path, part)) ? path : undefined;
}

/**
 * For `describe` and `test`: skips where the machine or the user lacks something, with the reason for
 * the summary at the end of the run. See `SkipReporter` for where a skip is a failure.
 */
export function needs(...all: readonly Need[]): TestOptions {
  const lacks = all.map(lacking).find((reason) => reason !== undefined);
  if (lacks !== undefined) return { skip: true, meta: { lacks } };
  return all.includes('tracing') ? { retry: { count: 10, condition: MISSED_IO } } : {};
}

/** Where this is true, `npm test` fails on a skipped test. */
export function canTraceHere(): boolean {
  return lacking('tracing') === undefined;
}

function lacking(need: Need): string | undefined {
  if (typeof need === 'object')
    return 'program' in need ? lackingProgram(need.program) : lackingFileSystem(need.fileSystem);
  if (need === 'PostgreSQL') return POSTGRES_PROGRAMS === undefined ? need : undefined;
  if (need === 'ClickHouse') return CLICKHOUSE === undefined ? need : undefined;
  if (need === 'Node 20 on x64') return isNode20OnX64() ? undefined : need;
  if (process.geteuid?.() !== 0) return 'root';
  if (need === 'tracing' && !isReadable(BTF)) return BTF;
  if (need === 'cgroups' && findCgroupRoot() === undefined) return 'a mounted cgroup2 hierarchy';
  if (need === 'zram' && !isReadable(ZRAM)) return 'zram';
  return undefined;
}

function isNode20OnX64(): boolean {
  return process.versions.node.startsWith('20.') && process.arch === 'x64';
}

function isReadable(path: string): boolean {
  return isAccessible(path, constants.R_OK);
}

function isAccessible(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

function lackingProgram(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => isAccessible(join(folder, name), constants.X_OK))
    ? undefined
    : name;
}

/** Built in, loaded, or a module that a mount loads. */
function lackingFileSystem(name: string): string | undefined {
  const isKnown =
    hasText('/proc/filesystems', `\t${name}\n`) ||
    hasText(`/lib/modules/${release()}/modules.dep`, `/${name}.ko`);
  return isKnown ? lackingProgram(`mkfs.${name}`) : `the file system ${name}`;
}

function hasText(path: string, text: string): boolean {
  return isReadable(path) && readFileSync(path, 'utf8').includes(text);
}
