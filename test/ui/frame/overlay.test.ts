import { describe, expect, it } from 'vitest';
import { Dialogs, type DialogOptions } from '../../../src/ui/dialogs/dialogs.tsx';
import { Overlay } from '../../../src/ui/frame/overlay.ts';
import { layoutScreen } from '../../../src/ui/layout-screen.ts';
import { createTheme } from '../../../src/ui/text/theme.ts';
import { KEY_TABLE } from '../../../src/view/keys/key-table.ts';
import { glyphRows } from '../cell-text.ts';
import { STATE } from '../fixtures/chrome-state.ts';

const OPTIONS = { theme: createTheme(2), bindings: KEY_TABLE };
const LAYOUT = layoutScreen(80, 24);
const HELP = { ...STATE, view: { ...STATE.view, mode: 'help' as const } };

/** Promise.withResolvers came with Node 22. */
function withResolvers(): { promise: Promise<undefined>; resolve: (value: undefined) => void } {
  let resolve: (value: undefined) => void = () => undefined;
  const promise = new Promise<undefined>((done) => (resolve = done));
  return { promise, resolve };
}

describe('what lies over the screen', () => {
  it('no dialog code is loaded while no dialog is open', () => {
    let loads = 0;
    const load = (): Promise<Dialogs> => {
      loads++;
      return Promise.resolve(new Dialogs(OPTIONS));
    };
    const overlay = new Overlay(OPTIONS, undefined, undefined, load);
    expect(overlay.draw(STATE, LAYOUT)).toBeUndefined();
    expect(loads).toBe(0);
  });

  it('an opened dialog is drawn as soon as its code is loaded', async () => {
    const loaded = withResolvers();
    const overlay = new Overlay(OPTIONS, () => {
      loaded.resolve(undefined);
    });
    expect(overlay.draw(HELP, LAYOUT)).toBeUndefined();
    await loaded.promise;
    expect([overlay.takeStale(), overlay.takeStale()]).toEqual([true, false]);
    expect(glyphRows(overlay.draw(HELP, LAYOUT)!.block)[0]).toContain('HELP');
    overlay.dispose();
  });

  it('dialogs that were loaded ahead are drawn at once, and loaded only once', async () => {
    const loaded = withResolvers();
    let loads = 0;
    const load = (options: DialogOptions): Promise<Dialogs> => {
      loads++;
      return Promise.resolve(new Dialogs(options));
    };
    const overlay = new Overlay(
      OPTIONS,
      () => {
        loaded.resolve(undefined);
      },
      undefined,
      load,
    );
    overlay.prepare();
    await loaded.promise;
    overlay.prepare();
    expect(glyphRows(overlay.draw(HELP, LAYOUT)!.block)[0]).toContain('HELP');
    expect(loads).toBe(1);
    overlay.dispose();
  });

  it('a notice says when dialogs cannot be loaded', async () => {
    const loaded = withResolvers();
    const load = (): Promise<Dialogs> => Promise.reject(new Error('no such file\nat line 1'));
    const overlay = new Overlay(
      OPTIONS,
      () => {
        loaded.resolve(undefined);
      },
      undefined,
      load,
    );
    overlay.draw(HELP, LAYOUT);
    await loaded.promise;
    const [line] = glyphRows(overlay.draw(HELP, LAYOUT)!.block);
    expect(line!.trim()).toBe('cannot load this dialog: no such file');
  });
});
