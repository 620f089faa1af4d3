import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { initialView } from '../../src/cli/initial-view.ts';
import { loadSettings, saveSettings, settingsPath } from '../../src/cli/settings-file.ts';
import { settingsOf } from '../../src/view/settings.ts';
import { DEFAULT_VIEW } from '../../src/view/state.ts';

let home: string;
let path: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ioheat-settings-'));
  path = settingsPath({ XDG_CONFIG_HOME: home });
});
afterEach(() => {
  rmSync(home, { recursive: true });
});

function write(text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

describe('settings', () => {
  it('come back as they were kept, readable by their owner alone', () => {
    const settings = settingsOf({ ...DEFAULT_VIEW, metric: 'size', intervalNs: 5e9 });
    expect(saveSettings(path, settings)).toBe(`settings kept in ${path}`);
    expect(loadSettings(path)).toEqual({ settings, notice: undefined });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('replace those of before, and leave nothing else in the folder', () => {
    saveSettings(path, { metric: 'size' });
    saveSettings(path, { metric: 'queue' });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ metric: 'queue' });
  });

  it('are none, without a word, when none were kept', () => {
    expect(loadSettings(path)).toEqual({ settings: {}, notice: undefined });
  });

  it.each([
    ['{"metric":"size",', 'no JSON object'],
    ['[]', 'no JSON object'],
    ['{"metric":"colour"}', 'metric must be one of device, queue'],
    ['{"__proto__x":1}', 'no setting "__proto__x"'],
    ['{"toString":1}', 'no setting "toString"'],
  ])('that make no sense are told: %s', (text, reason) => {
    write(text);
    const { settings, notice } = loadSettings(path);
    expect(settings).toEqual({});
    expect(notice).toContain(reason);
  });

  it('that make sense are used beside one that does not', () => {
    write('{"metric":"size","interval":"1s"}');
    expect(loadSettings(path).settings).toEqual({ metric: 'size' });
  });

  it('say so when they cannot be kept', () => {
    writeFileSync(join(home, 'ioheat'), 'a file where the folder should be');
    expect(saveSettings(path, {})).toContain('settings not kept');
  });

  it('go before the defaults and after the command line', () => {
    const view = initialView({ metric: 'queue' }, { metric: 'size', scale: 'linear' });
    expect(view).toMatchObject({ metric: 'queue', scale: 'linear', palette: 'false' });
  });

  it('are looked for in the home directory when XDG_CONFIG_HOME is no absolute path', () => {
    expect(settingsPath({ XDG_CONFIG_HOME: 'relative' })).toMatch(
      /^\/.*\/\.config\/ioheat\/settings\.json$/,
    );
  });
});
