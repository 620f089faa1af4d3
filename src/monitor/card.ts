import { preciseClockText } from '../base/clock-text.ts';
import { formatBytes, formatPercent } from '../base/format.ts';
import { wallMs } from '../base/time.ts';
import type { DiskActivity, ProcessActivity } from '../model/activity.ts';
import { known, lacking } from '../model/card.ts';
import { cgroupName, cgroupNumber } from '../model/cgroup-names.ts';
import { deviceName } from '../model/device.ts';
import { fileText, isSeveralFiles, type FileKind } from '../model/file.ts';
import type { Card, CardFacts, Fact } from '../model/card.ts';
import type { Stalled } from '../model/pressure.ts';
import type { EventSource, SourceInfo } from '../trace/event-source.ts';

type Source = Pick<EventSource, 'info' | 'cards'>;

/** The card of a row of the tables; undefined where the row is not one process, cgroup, file or disk. */
export function cardOf(source: Source, row: ProcessActivity | DiskActivity): Card | undefined {
  if (!('comm' in row)) return { title: row.disk, facts: diskFacts(source, row) };
  if (row.file !== undefined) return fileCard(source, row.file);
  const { tgid, comm } = row;
  if (tgid === undefined) return cgroupCard(source, row);
  const title = `${comm} (${tgid})`;
  const { stalled } = row;
  return {
    title,
    facts: {
      ...processFacts(source, row, tgid),
      ...(stalled && { 'its cgroup': known(stalledText(stalled)) }),
      ...writebackFacts(row),
    },
  };
}

function cgroupCard({ info }: Source, row: ProcessActivity): Card | undefined {
  const { comm, cgroup, stalled } = row;
  // Rows of threads and of several processes have a cgroup, too.
  if (cgroup === undefined || comm !== cgroupName(info.cgroups, cgroup)) return undefined;
  const absent = lacking(ABSENCE[info.kind]);
  return {
    title: comm,
    facts: {
      cgroup: known(comm),
      id: known(String(cgroupNumber(cgroup))),
      stalled: stalled === undefined ? absent : known(stalledText(stalled)),
    },
  };
}

/** Shares over the time that the table covers. */
function stalledText({ some, full }: Stalled): string {
  return `tasks stalled ${formatPercent(some)} of the time, all at once ${formatPercent(full)}`;
}

function processFacts({ cards, info }: Source, row: ProcessActivity, tgid: number): CardFacts {
  const recorded = recordedProcess(info, row);
  if (cards === undefined) return recorded;
  return cards.process(tgid, row.comm) ?? endedProcess(recorded);
}

/** The facts recorded when its I/O was seen, for a process that has ended. */
function endedProcess(recorded: CardFacts): CardFacts {
  const facts = Object.entries(recorded).filter(([, fact]) => 'known' in fact);
  return { process: lacking('has ended'), ...Object.fromEntries(facts) };
}

function writebackFacts({ via, hasSeveralWriters }: ProcessActivity): CardFacts {
  if (via === undefined) return {};
  const files = hasSeveralWriters === true ? ', writes of other processes among it' : '';
  return { 'written back': known(`via ${via}${files}`) };
}

const KIND_TEXTS: Record<FileKind, string> = {
  unknown: 'unknown: the kernel does not say which',
  none: 'no file: flushes, discards and passthrough commands',
  file: 'a file',
  device: 'the device itself, without a file system',
  swap: 'swap space',
  metadata: 'metadata of a file system',
  journal: 'the journal of a file system',
};

const SEVERAL_FILES = 'files beyond those that a session tells apart';

function fileCard({ info, cards }: Source, number: number): Card {
  const file = info.identities.files.get(number);
  const { kind, dev, inode, path } = file;
  const title = fileText(file);
  if (isSeveralFiles(file)) return { title, facts: { what: known(SEVERAL_FILES) } };
  if (kind !== 'file') return { title, facts: { what: known(KIND_TEXTS[kind]) } };
  return {
    title: path?.split('/').at(-1) ?? title,
    facts: {
      path: path === undefined ? lacking('not seen so far') : known(path),
      inode: known(String(inode)),
      generation: known(String(file.generation)),
      'first seen': firstSeen(info, number),
      'file system': cards?.fileSystem(dev) ?? known(deviceName(info, dev)),
    },
  };
}

/** Distinguishes the file, together with inode and generation, from others of its name before and after it. */
function firstSeen({ clockBase, identities }: SourceInfo, number: number): Fact {
  const atNs = identities.files.firstSeenNs(number);
  if (atNs === undefined) return lacking('not in this trace');
  return known(preciseClockText(wallMs(clockBase, atNs)));
}

function diskFacts({ cards, info }: Source, { dev }: DiskActivity): CardFacts {
  return cards?.disk(dev) ?? recordedDisk(info, dev);
}

const ABSENCE: Record<SourceInfo['kind'], string> = {
  live: 'unknown',
  synthetic: 'not in the demo',
  recording: 'not in the recording',
  import: 'not in the log',
};

function recordedProcess(
  { kind }: SourceInfo,
  { cgroupName, command, user }: ProcessActivity,
): CardFacts {
  const absent = lacking(ABSENCE[kind]);
  const fact = (text: string | undefined): Fact => (text === undefined ? absent : known(text));
  return {
    command: fact(command),
    user: fact(user),
    cgroup: fact(cgroupName),
    threads: absent,
  };
}

function recordedDisk(info: SourceInfo, dev: number): CardFacts {
  const { model, sizeBytes, scheduler, rotational, mounts } = info.device(dev) ?? {};
  const absent = lacking(ABSENCE[info.kind]);
  const fact = (text: string | undefined): Fact => (text === undefined ? absent : known(text));
  return {
    'mounted at': mounts?.length === 0 ? lacking('none') : fact(mounts?.join(', ')),
    partitions: absent,
    volume: absent,
    model: fact(model),
    size: fact(sizeBytes === undefined ? undefined : formatBytes(sizeBytes)),
    scheduler: fact(scheduler),
    limits: absent,
    rotational: fact(rotational === undefined ? undefined : rotational ? 'yes' : 'no'),
  };
}
