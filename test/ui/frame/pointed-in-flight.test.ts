import { afterEach, describe, expect, test } from 'vitest';
import { formatFilter } from '../../../src/filter/language/format.ts';
import { IdentityMark } from '../../../src/model/identity.ts';
import { InFlightBook } from '../../../src/model/in-flight-book.ts';
import type { InFlightIo } from '../../../src/model/in-flight.ts';
import { Op } from '../../../src/model/operation.ts';
import type { EventSource } from '../../../src/trace/event-source.ts';
import { layoutScreen } from '../../../src/ui/layout-screen.ts';
import { HeadlessSession, mouseBytes } from '../fixtures/headless-session.ts';

const WIDTH = 100;
const HEIGHT = 30;
const { pane } = layoutScreen(WIDTH, HEIGHT);
/** The first row is below the frame and the headings. */
const FIRST = pane.y + 2;
const DOWN = '\x1b[B';
const UP = '\x1b[A';
const END = '\x1b[F';
const NOW = 12e9;

/** The I/O of a slot was queued a millisecond after that of the slot before, and is of process 100 + slot. */
function hangs(slot: number, dev: number): InFlightIo {
  const sinceNs = 1e9 + slot * 1e6;
  const tgid = 100 + slot;
  return {
    ...{ slot, sinceNs, issueNs: sinceNs, ageNs: NOW - sinceNs, stage: 'at the device' },
    identity: {
      ...{ dev, cmdFlags: Op.read, tgid, tid: tgid, comm: `job${slot}`, cgroup: 1, error: 0 },
      marks: slot === 0 ? IdentityMark.ownerUnknown : 0,
    },
    ...{ bytes: 4096, sector: 8 * slot, file: undefined, fileOffset: undefined },
  };
}

let session: HeadlessSession;
/** The slots with I/O in flight. */
let slots: readonly number[];

/** A session with this in flight; as a replay, it is known only from notes. */
function open(kind: 'live' | 'replay', count: number): void {
  slots = Array.from({ length: count }, (_, slot) => slot);
  const book = new InFlightBook();
  const withMore = (source: EventSource): EventSource => {
    const dev = source.info.devices()[0]!.dev;
    const found = () => slots.map((slot) => hangs(slot, dev));
    const info = {
      ...source.info,
      get inFlight() {
        book.look(found(), NOW);
        return book;
      },
    };
    return {
      ...{ info, read: () => source.read(), readSummaries: () => source.readSummaries() },
      ...{ counters: () => source.counters(), dispose: () => undefined },
      ...(kind === 'live' && { inFlight: found }),
    };
  };
  session = new HeadlessSession(1, WIDTH, HEIGHT, undefined, withMore);
  session.wait(NOW);
  session.type('I');
}

/** The next frame, with this in flight. */
function show(...now: readonly number[]): void {
  slots = now;
  session.wait(1e6);
}

afterEach(() => {
  session.dispose();
});

const click = (y: number): string => mouseBytes(0, 20, y);

function selectedId(): string | undefined {
  return session.view.inFlightRow?.id.split(' ')[1];
}

function selectedLine(): number {
  const { inFlightRow } = session.view;
  return session
    .lines()
    .findIndex((line) => line.includes(` job${inFlightRow!.id.split(' ')[1]!} `));
}

describe.each(['live', 'replay'] as const)('a row of the list of I/Os in flight, %s', (kind) => {
  test('a row that a key selected stays selected while rows come and go around it, and Enter filters by its process', () => {
    open(kind, 6);
    session.type(DOWN + DOWN + DOWN + DOWN + UP);
    expect(selectedId()).toBe('2');
    show(1, 2, 4, 5, 6, 7);
    session.type(DOWN);
    expect(selectedId()).toBe('4');
    show(4, 5, 6);
    session.type('\r');
    expect(session.view.mode).toBe('main');
    expect(formatFilter(session.view.filter)).toBe('pid=104');
    session.type('u');
    expect(formatFilter(session.view.filter)).toBe('');
  });

  test('Enter never filters by a row that took the place of the selected one', () => {
    open(kind, 4);
    session.type(DOWN + DOWN);
    show(0, 2, 3);
    session.type('\r');
    expect(session.view.mode).toBe('inFlight');
    expect(session.lines().join('\n')).toContain('the selected I/O is no longer in flight');
    session.type(DOWN + '\r');
    expect(formatFilter(session.view.filter)).toBe('pid=103');
  });

  test.each([FIRST, FIRST + 5, pane.y + pane.height - 2])(
    'a clicked row stays in line %i, where a second click filters by its process',
    (y) => {
      open(kind, 60);
      session.type(END + UP);
      const name = / (job\d+) /.exec(session.lines()[y]!)![1]!;
      session.type(click(y));
      expect(selectedLine()).toBe(y);
      expect(session.lines()[y]).toContain(` ${name} `);
      session.type(click(y));
      expect(formatFilter(session.view.filter)).toBe(`pid=${100 + Number(name.slice(3))}`);
    },
  );
});

test('a list of I/Os in flight that is longer than the screen follows the selected row to its end', () => {
  open('live', 60);
  session.type(END);
  expect(selectedId()).toBe('59');
  expect(selectedLine()).toBe(pane.y + pane.height - 2);
});

test('an I/O in flight of an unknown owner has no process to filter by', () => {
  open('live', 3);
  session.type(`${DOWN}\r`);
  expect(session.view.mode).toBe('inFlight');
  expect(session.lines().join('\n')).toContain('no known process to filter by');
});

test('the wheel moves the selected row of I/Os in flight, and the first line closes the list', () => {
  open('live', 6);
  session.type(mouseBytes(65, 20, FIRST) + mouseBytes(65, 20, FIRST));
  expect(selectedId()).toBe('1');
  session.type(click(pane.y + pane.height - 1) + click(FIRST - 1));
  expect(selectedId()).toBe('1');
  session.type(click(pane.y));
  expect(session.view.mode).toBe('main');
});
