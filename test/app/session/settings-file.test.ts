import {
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { initialView } from '../../../src/app/session/initial-view.ts';
import {
  loadSettings,
  saveSettings,
  settingsPath,
} from '../../../src/app/session/settings-file.ts';
import { settingsOf } from '../../../src/view/settings.ts';
import { DEFAULT_VIEW } from '../../../src/view/state.ts';
import { needs } from '../../needs.ts';

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
  it('saved settings are read back, and only their owner can read the file', () => {
    const settings = settingsOf({ ...DEFAULT_VIEW, metric: 'size', intervalNs: 5e9 });
    expect(saveSettings(path, settings)).toBe(`settings saved to ${path}`);
    expect(loadSettings(path)).toEqual({ settings, notice: undefined });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('saved settings replace the ones before, and leave nothing else in the folder', () => {
    saveSettings(path, { metric: 'size' });
    saveSettings(path, { metric: 'queue' });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ metric: 'queue' });
  });

  it('settings behind a link are saved there, and the link stays', () => {
    mkdirSync(dirname(path), { recursive: true });
    const dotfile = join(home, 'dotfile.json');
    writeFileSync(dotfile, '{}');
    symlinkSync('../dotfile.json', path);
    expect(saveSettings(path, { metric: 'size' })).toBe(`settings saved to ${path}`);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(dotfile, 'utf8'))).toEqual({ metric: 'size' });
    expect(readdirSync(dirname(path))).toEqual(['settings.json']);
  });

  it('settings replace a link of somebody else', needs('root'), () => {
    const victim = join(home, 'victim');
    writeFileSync(victim, 'mine');
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(victim, path);
    lchownSync(path, 65_534, 65_534);
    expect(saveSettings(path, { metric: 'size' })).toBe(`settings saved to ${path}`);
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    expect(lstatSync(path).isFile()).toBe(true);
  });

  it('settings can be saved once what prevented it is gone, and a failure leaves nothing in the folder', () => {
    mkdirSync(path, { recursive: true });
    expect(saveSettings(path, { metric: 'size' })).toContain('settings not saved');
    expect(readdirSync(dirname(path))).toEqual(['settings.json']);
    rmSync(path, { recursive: true });
    expect(saveSettings(path, { metric: 'size' })).toBe(`settings saved to ${path}`);
  });

  it('settings are not read from what is not a file, such as a folder or a FIFO', () => {
    mkdirSync(path, { recursive: true });
    const notice = `settings not read: ${path} is not a regular file`;
    expect(loadSettings(path)).toEqual({ settings: {}, notice });
  });

  it('without a settings file there are no settings and no warning', () => {
    expect(loadSettings(path)).toEqual({ settings: {}, notice: undefined });
  });

  it.each([
    ['{"metric":"size",', 'not a JSON object'],
    ['[]', 'not a JSON object'],
    ['{"metric":"colour"}', 'metric must be one of device, queue'],
    ['{"__proto__x":1}', 'unknown setting "__proto__x"'],
    ['{"toString":1}', 'unknown setting "toString"'],
  ])('settings that make no sense are reported: %s', (text, reason) => {
    write(text);
    const { settings, notice } = loadSettings(path);
    expect(settings).toEqual({});
    expect(notice).toContain(reason);
  });

  it.each([
    ['false', 'spectrum'],
    ['blind', 'colorblind'],
  ])('settings with the former palette name %s mean %s', (former, palette) => {
    write(JSON.stringify({ palette: former }));
    expect(loadSettings(path)).toEqual({ settings: { palette }, notice: undefined });
  });

  it('valid settings are used next to an invalid one', () => {
    write('{"metric":"size","interval":"1s"}');
    expect(loadSettings(path).settings).toEqual({ metric: 'size' });
  });

  it('an error says when settings cannot be saved', () => {
    writeFileSync(join(home, 'ioheat'), 'a file where the folder should be');
    expect(saveSettings(path, {})).toContain('settings not saved');
  });

  it('settings override the defaults, and the command line overrides settings', () => {
    const view = initialView(
      { view: { metric: 'queue' }, at: undefined, speed: 1 },
      { metric: 'size', scale: 'linear' },
    );
    expect(view).toMatchObject({ metric: 'queue', scale: 'linear', palette: 'spectrum' });
  });

  it('settings are in the home directory when XDG_CONFIG_HOME is not an absolute path', () => {
    expect(settingsPath({ XDG_CONFIG_HOME: 'relative' })).toMatch(
      /^\/.*\/\.config\/ioheat\/settings\.json$/,
    );
  });
});
