import { MINORS } from '../../model/device.ts';
import { parseLineStart } from './line-start.ts';
import type { LineStart } from './line-start.ts';
import { parseLetters } from './request-letters.ts';

/** An event of a request or bio, as printed by its format string in include/trace/events/block.h. */
export interface TracepointEvent {
  readonly name: string;
  /** Undefined for a line without a time. */
  readonly start: LineStart | undefined;
  readonly device: string;
  readonly cmdFlags: number;
  readonly sector: number;
  /** Number of sectors, or the new sector of a split. */
  readonly count: number;
  readonly isSplit: boolean;
  /** The text in brackets at the end: a name or an error. */
  readonly last: string;
}

const NAME = '(block_(?:rq|bio|io)_[a-z]+|block_getrq|block_split)';
const EVENT = new RegExp(`\\b${NAME}: +(\\d+,\\d+) ([A-Z]+) (.*)$`);
/** As printed by `trace-cmd report -R`: fields by name, and the device as one number. */
const RAW_EVENT = new RegExp(`\\b${NAME}: +(dev=\\d+ sector=.*)$`);
/** Bytes and command if the event has them; I/O priority since Linux 6.11. */
const REQUEST = /^(?:\d+ )?(?:\(.*?\) )?(\d+) ([+/]) (\d+)(?: [^ [\]]+)? \[(.*)\]$/;

/** From a partition or volume to the disk: `8,0 WS 2248 + 8 <- (8,1) 200`. The request has events of its own. */
const REMAP = /\bblock_(?:bio|rq)_remap: +\d+,\d+ [A-Z]+ \d+ \+ \d+ <- /;

/** Whether a line is about a request or bio, even if it cannot be parsed. */
export function isAboutBlocks(line: string): boolean {
  return (EVENT.test(line) && !REMAP.test(line)) || RAW_EVENT.test(line);
}

export function parseTracepoint(line: string): TracepointEvent | undefined {
  const event = EVENT.exec(line);
  if (event === null) return parseRaw(line);
  const [, name, device, letters, rest] = event as unknown as [
    string,
    string,
    string,
    string,
    string,
  ];
  const request = REQUEST.exec(rest);
  const cmdFlags = parseLetters(letters);
  if (request === null || cmdFlags === undefined) return undefined;
  return {
    name,
    start: parseLineStart(line.slice(0, event.index)),
    device,
    cmdFlags,
    sector: Number(request[1]),
    count: Number(request[3]),
    isSplit: request[2] === '/',
    last: request[4]!,
  };
}

function parseRaw(line: string): TracepointEvent | undefined {
  const event = RAW_EVENT.exec(line);
  if (event === null) return undefined;
  const [, name = '', fields = ''] = event;
  const field = (title: string) => new RegExp(`\\b${title}=([^ ]*)`).exec(fields)?.[1];
  const [dev, newSector] = [Number(field('dev')), field('new_sector')];
  const count = newSector ?? field('nr_sector');
  const cmdFlags = parseLetters(field('rwbs') ?? '');
  if (count === undefined || cmdFlags === undefined) return undefined;
  return {
    name,
    start: parseLineStart(line.slice(0, event.index)),
    device: `${Math.floor(dev / MINORS)},${dev % MINORS}`,
    cmdFlags,
    sector: Number(field('sector')),
    count: Number(count),
    isSplit: newSector !== undefined,
    last: field('error') ?? / comm=(.*?)(?: cmd=.*)?$/.exec(fields)?.[1] ?? '',
  };
}
