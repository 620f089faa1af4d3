import { afterEach, describe, expect, it } from 'vitest';
import type { Layout } from '../../../src/model/metric.ts';
import { LAYOUTS } from '../../../src/model/metric.ts';
import { layoutScreen } from '../../../src/ui/layout-screen.ts';
import { HeadlessSession, mouseBytes } from '../fixtures/headless-session.ts';

const opened: HeadlessSession[] = [];

afterEach(() => {
  for (const session of opened.splice(0)) session.dispose();
});

function open(height: number): HeadlessSession {
  const session = new HeadlessSession(3, 120, height);
  opened.push(session);
  return session;
}

/** A session in a layout, frozen, with the cross-hair at the slowest I/O of all. */
function atSlowest(layout: Layout): HeadlessSession {
  const session = open(40);
  session.wait(20e9);
  session.type(` ${'V'.repeat(LAYOUTS.indexOf(layout))}`);
  session.wait(0);
  session.type('!');
  session.wait(0);
  return session;
}

/** The title of the card that `i` opens. */
function card(session: HeadlessSession): string | undefined {
  session.type('i');
  return session.view.card?.title;
}

function slowestIn(session: HeadlessSession) {
  return session.monitor.inspect(session.box()).slowest[0]!;
}

describe('the card that a key opens', () => {
  it.each(['single', 'offset-latency'] as const)(
    'the card that a key opens in the layout %s is that of the owner of the I/O under the cross-hair, not of the first row',
    (layout) => {
      const session = atSlowest(layout);
      const { comm, tgid } = slowestIn(session);
      const title = `${comm} (${tgid})`;
      expect(session.lines().join('\n')).not.toMatch(new RegExp(`WAIT%.*\\n *${tgid} `));
      expect(card(session)).toBe(title);
    },
  );

  it.each(['disks', 'files', 'processes', 'cgroups'] as const)(
    'the card that a key opens in the lanes of %s is that of the lane under the cross-hair',
    (layout) => {
      const session = atSlowest(layout);
      const [lane] = session.box().where!;
      expect(lane!.operator).toBe('=');
      const { comm } = slowestIn(session);
      const [value] = lane!.values;
      expect(card(session)).toBe(layout === 'processes' ? `${comm} (${value!})` : value);
    },
  );

  it('the card that a key opens in the lane of everything else is that of the owner of the I/O there', () => {
    // Few rows have few lanes, so that some processes have none of their own.
    const session = open(18);
    session.wait(20e9);
    session.type('V'.repeat(LAYOUTS.indexOf('processes')));
    session.wait(0);
    session.type('!J');
    session.wait(0);
    const [rest] = session.box().where!;
    expect(rest).toMatchObject({ field: 'pid', operator: '!=' });
    while (session.monitor.inspect(session.box()).slowest.length === 0) {
      session.type('h');
      session.wait(0);
    }
    const { comm, tgid } = slowestIn(session);
    expect(rest!.values).not.toContain(tgid);
    expect(card(session)).toBe(`${comm} (${tgid})`);
  });

  it('the card that a key opens with the cross-hair is not that of a row selected before', () => {
    const under = card(atSlowest('single'));
    const session = atSlowest('single');
    session.type(mouseBytes(0, 10, layoutScreen(120, 40).tables.y + 2));
    expect(session.view.processRow).toMatchObject({ place: 1 });
    expect(card(session)).toBe(under);
  });

  it('the card that a key opens with the cross-hair is that of a process where rows are files', () => {
    const under = card(atSlowest('single'));
    const session = atSlowest('single');
    while (session.view.grouping !== 'file') session.type('G');
    session.wait(0);
    expect(card(session)).toBe(under);
  });

  it('the card that a key opens with the cross-hair is that of the process where a row without a PID has others of its name, too', () => {
    const session = open(40);
    session.wait(20e9);
    session.type('/comm=postgres\r');
    while (session.view.grouping !== 'name') session.type('G');
    session.type(' ');
    session.wait(0);
    session.type('!');
    session.wait(0);
    const { tgid } = slowestIn(session);
    expect(session.lines().join('\n')).toContain(' postgres (');
    expect(card(session)).toBe(`postgres (${tgid})`);
  });

  it('the card that a key opens is none where nothing is under the cross-hair', () => {
    const session = atSlowest('single');
    session.type('h');
    session.wait(0);
    while (session.monitor.inspect(session.box()).groups.length > 0) {
      session.type('h');
      session.wait(0);
    }
    expect(card(session)).toBeUndefined();
    expect(session.view.notice).toBe('nothing under the cross-hair has a card');
  });

  it('the card that a key opens is that of the selected row, where one is selected', () => {
    const session = atSlowest('single');
    const under = card(session);
    session.type('q');
    session.type('q');
    session.type('j');
    session.wait(0);
    session.type('i');
    expect(session.view.card?.title).not.toBe(under);
  });
});
