import { NS_PER_SECOND } from '../../../base/time.ts';
import type { Actor } from '../stage.ts';
import type { Window } from '../streams.ts';

const MYSQL = 'mysql.service';
const BACKUP = 'backup.service';

export const MYSQLD: Actor = { comm: 'mysqld', tgid: 892, tid: 921, cgroup: MYSQL };
export const MYSQLD_LOG: Actor = { comm: 'mysqld', tgid: 892, tid: 934, cgroup: MYSQL };
export const MYSQLD_CLEANER: Actor = { comm: 'mysqld', tgid: 892, tid: 938, cgroup: MYSQL };
export const POSTGRES: readonly Actor[] = [1204, 1219, 1233].map((tgid) => ({
  comm: 'postgres',
  tgid,
  cgroup: 'docker 5c0f3a9e71d2',
}));
export const JAVA: Actor = { comm: 'java', tgid: 2310, tid: 2377, cgroup: 'docker b81e6f20c4a7' };
export const NODE: Actor = { comm: 'node', tgid: 2544, tid: 2551, cgroup: 'web.service' };
export const RSYNC_READER: Actor = { comm: 'rsync', tgid: 7702, cgroup: BACKUP };
export const RSYNC_WRITER: Actor = { comm: 'rsync', tgid: 7704, cgroup: BACKUP };
export const JOURNAL: Actor = { comm: 'jbd2/nvme0n1p2-', tgid: 402, indirect: true };
export const FLUSHER: Actor = { comm: 'kworker/u16:3', tgid: 188, indirect: true };
export const FILES_FLUSHER: Actor = { comm: 'kworker/u16:1', tgid: 157, indirect: true };
export const BLOCK_WORKER: Actor = { comm: 'kworker/2:1H', tgid: 203, indirect: true };

/** "Nightly" in name, but often enough for a demonstration. */
export const BATCH: Window = {
  everyNs: 180 * NS_PER_SECOND,
  fromNs: 60 * NS_PER_SECOND,
  forNs: 50 * NS_PER_SECOND,
};
export const ALWAYS: Window = {
  everyNs: 3600 * NS_PER_SECOND,
  fromNs: 0,
  forNs: 3600 * NS_PER_SECOND,
};

export function everySeconds(every: number, from: number, length: number): Window {
  return {
    everyNs: every * NS_PER_SECOND,
    fromNs: from * NS_PER_SECOND,
    forNs: length * NS_PER_SECOND,
  };
}
