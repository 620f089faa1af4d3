import { describe, expect, it } from 'vitest';
import { firstPicture } from '../../../src/app/open/first-picture.ts';
import { initialView } from '../../../src/app/session/initial-view.ts';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { Monitor } from '../../../src/monitor/monitor.ts';
import { Screen } from '../../../src/terminal/screen.ts';
import { createSyntheticSource } from '../../../src/trace/synthetic/synthetic-source.ts';
import { PATTERNS } from '../../../src/trace/synthetic/patterns.ts';
import type { Pattern } from '../../../src/trace/synthetic/patterns.ts';
import { FramePainter } from '../../../src/ui/frame/frame-painter.ts';
import { Scene } from '../../../src/ui/frame/scene.ts';
import { createTheme } from '../../../src/ui/text/theme.ts';
import { KEY_TABLE } from '../../../src/view/keys/key-table.ts';
import { CLOCK_BASE, planes } from '../../raster/fixtures.ts';

const [WIDTH, HEIGHT] = [80, 24];

/** The whole screen of a demo as it opens. */
function firstScreen({ name, look, completionsPerSecond, whatToSee }: Pattern): Screen {
  const { columnNs, pastNs } = firstPicture(look, completionsPerSecond, WIDTH);
  const clock = { nowNs: () => pastNs };
  const pattern = PATTERNS.find((one) => one.name === name)!.name;
  const identities = new IdentityTable();
  const source = createSyntheticSource({
    ...{ pattern, seed: 1, clock, identities, clockBase: CLOCK_BASE },
  });
  const monitor = new Monitor({ source, historyBytes: 2 ** 28, filter: NO_FILTER });
  while (!monitor.pump());
  const settings = { ...look.view, intervalNs: columnNs };
  const asked = { view: {}, at: undefined, speed: 1 };
  const view = initialView(asked, settings, `${name}: ${whatToSee}`);
  const screen = new Screen(WIDTH, HEIGHT);
  const look256 = { theme: createTheme(2), bindings: KEY_TABLE, unicode: true, color: true };
  const scene = new Scene(monitor, look256, WIDTH, HEIGHT);
  const painter = new FramePainter(scene, screen, { recordedOnly: '' });
  painter.paint(view, pastNs);
  painter.dispose();
  return screen;
}

describe('the first screen of a demo', () => {
  it.each(PATTERNS.map((pattern): Pattern => pattern))(
    '$name shows what its text says, and all of the text',
    async (pattern) => {
      const { cells } = firstScreen(pattern);
      const text = planes(cells);
      const words = text.replaceAll(/[\s|]+/g, ' ');
      expect(words).toContain(`${pattern.name}: ${pattern.whatToSee}`);
      await expect(text).toMatchFileSnapshot(`../../../snapshots/demo/${pattern.name}.txt`);
    },
  );
});

describe('the past that a demo starts with', () => {
  const look = { columnNs: 1e9, run: { cycleNs: 120e9, endNs: 95e9 } };

  it('the past that a demo starts with fills the picture', () => {
    expect(firstPicture({ columnNs: 500e6 }, 100, 80)).toEqual({ columnNs: 500e6, pastNs: 40e9 });
  });

  it('the past that a demo starts with is shorter where it would take long to generate', () => {
    expect(firstPicture({ columnNs: 1e9 }, 200_000, 200).pastNs).toBe(7e9);
  });

  it('the past that a demo starts with ends with a run that is in the picture as a whole, in wider columns on a narrow screen', () => {
    expect(firstPicture(look, 4424, 80)).toEqual({ columnNs: 2e9, pastNs: 215e9 });
    expect(firstPicture(look, 4424, 120)).toEqual({ columnNs: 1e9, pastNs: 215e9 });
    expect(firstPicture(look, 4424, 100, 5e9).columnNs).toBe(5e9);
  });

  it('the past that a demo starts with has the beginning of a run where a whole one would take long', () => {
    expect(firstPicture(look, 100_000, 80).pastNs).toBe(14e9);
  });
});
