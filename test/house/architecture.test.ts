import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGE = readFileSync(resolve(ROOT, 'docs/architecture.md'), 'utf8');

/** `file:function` as the ways name them. */
const STEP = /`((?:src|bpf)\/[\w./-]+):(\w+)`/g;
/** A file or a folder of `src`, as tables and lists name them. */
const PLACE =
  /`((?:base|model|filter|trace|kernel|history|query|heatmap|raster|terminal|monitor|view|ui|export|app|cli|paint)\/[\w./-]*)`/g;

function wayOf(name: string): [file: string, called: string][] {
  const block = PAGE.split(`<!-- ${name} -->`)[1]?.split(`<!-- /${name} -->`)[0] ?? '';
  return [...block.matchAll(STEP)].map((match) => [match[1]!, match[2]!]);
}

function isDefined(file: string, called: string): boolean {
  const path = resolve(ROOT, file);
  const definition = new RegExp(`^(?!\\s*(?:return|await)\\b).*\\b${called}(?:<[^>]*>)?\\(`, 'm');
  return existsSync(path) && definition.test(readFileSync(path, 'utf8'));
}

describe('the architecture page', () => {
  it.each(['way of an I/O', 'way of a key'])(
    'the architecture page names functions that exist: the %s',
    (name) => {
      const steps = wayOf(name);
      expect(steps.length).toBeGreaterThan(6);
      expect(steps.filter(([file, called]) => !isDefined(file, called))).toEqual([]);
    },
  );

  it('the architecture page names files and folders that exist', () => {
    const places = [...PAGE.matchAll(PLACE)].map((match) => match[1]!);
    expect(places.length).toBeGreaterThan(10);
    expect(places.filter((place) => !existsSync(resolve(ROOT, 'src', place)))).toEqual([]);
  });

  it('the architecture page notices a function that is gone', () => {
    expect(isDefined('src/view/reduce/store.ts', 'dispatch')).toBe(true);
    expect(isDefined('src/view/reduce/store.ts', 'dispatchAll')).toBe(false);
  });
});
