import { formatBytes } from '../base/format.ts';
import type { DiskActivity, ProcessActivity } from '../model/activity.ts';
import { known, lacking } from '../model/card.ts';
import type { Card, CardFacts, Fact } from '../model/card.ts';
import type { EventSource, SourceInfo } from '../trace/event-source.ts';

type Source = Pick<EventSource, 'info' | 'cards'>;

/** The card of a row of the tables; undefined where the row is not one process or disk. */
export function cardOf(source: Source, row: ProcessActivity | DiskActivity): Card | undefined {
  if (!('comm' in row)) return { title: row.disk, facts: diskFacts(source, row) };
  const { tgid, comm } = row;
  if (tgid === undefined) return undefined;
  const facts = source.cards?.process(tgid, comm) ?? recordedProcess(source.info, row);
  return { title: `${comm} (${tgid})`, facts };
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
