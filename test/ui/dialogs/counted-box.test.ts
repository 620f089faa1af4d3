import { expect, it } from 'vitest';
import { keyBytes } from '../../e2e/support/key-bytes.ts';
import { ENTER } from '../fixtures/keys.ts';
import { HeadlessSession } from '../fixtures/headless-session.ts';

/** The number of I/Os in the drill-down. */
function counted(session: HeadlessSession): number {
  const line = session.lines().find((one) => /^ [\d,]+ I\/Os /.test(one)) ?? '';
  return Number(/[\d,]+/.exec(line)?.[0].replaceAll(',', ''));
}

it('a drill-down of the newest column gets the I/O that still completes in it, and no later I/O', () => {
  const session = new HeadlessSession(1, 120, 40);
  session.wait(12.3e9);
  // To columns of a second, and over all values of the newest one.
  session.type(`---v${keyBytes('end')}${'J'.repeat(9)}v${'K'.repeat(9)}${ENTER}`);
  const first = counted(session);
  expect(first).toBeGreaterThan(0);
  session.wait(1e9);
  const all = counted(session);
  expect(all).toBeGreaterThan(first);
  session.wait(1e9);
  expect(counted(session)).toBe(all);
  expect(session.monitor.inspect(session.view.drillDown!).count).toBe(all);
  session.dispose();
});
