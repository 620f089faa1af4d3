import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UP } from './fixtures/keys.ts';
import { HeadlessSession } from './fixtures/headless-session.ts';

let session: HeadlessSession;
beforeEach(() => {
  session = new HeadlessSession(1, 120, 40);
  session.wait(12e9);
  session.type(`${'V'.repeat(5)}v${'j'.repeat(9)}`);
});
afterEach(() => {
  session.dispose();
});

function readOut(): string {
  return session.lines().find((line) => /CURSOR|BOX/.test(line))!;
}

describe('the cross-hair in lanes of disks', () => {
  it('ends at the uppermost lane, and is drawn there', () => {
    session.type(UP.repeat(9));
    expect(session.view.cursor?.bin).toBe(2);
    expect(session.lines().some((line) => /nvme0n1 *▸/.test(line))).toBe(true);
    session.type(`j`);
    expect(readOut()).toContain(' sda ');
  });

  it('a box over all of them counts each once, as the drill-down does', () => {
    session.type(`v${UP.repeat(9)}`);
    const [, count] = /(\d+) I\/Os/.exec(readOut())!;
    session.type('\r');
    expect(session.lines().join('\n')).toContain(` ${count} I/Os  `);
    expect(Number(count)).toBeGreaterThan(0);
  });
});
