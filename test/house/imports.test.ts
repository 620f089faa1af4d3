import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Which folder of src may import which; `types:x` allows `import type` only. */
const ALLOWED: Record<string, readonly string[]> = {
  base: [],
  model: ['base'],
  filter: ['base', 'model'],
  source: ['base', 'model'],
  kernel: ['base', 'model', 'source'],
  import: ['base', 'model', 'source'],
  recording: ['base', 'model', 'source'],
  replay: ['base', 'model', 'source'],
  history: ['base', 'model', 'filter', 'source'],
  query: ['base', 'model', 'filter', 'source', 'history'],
  heatmap: ['base', 'model', 'filter', 'source', 'history'],
  raster: ['base', 'model', 'heatmap'],
  terminal: ['base'],
  paint: ['base'],
  view: ['base', 'model', 'filter', 'types:heatmap'],
  monitor: ['base', 'model', 'filter', 'source', 'history', 'query', 'heatmap'],
  export: [
    'base',
    'model',
    'filter',
    'source',
    'history',
    'query',
    'heatmap',
    'raster',
    'types:view',
  ],
  ui: [
    'base',
    'model',
    'filter',
    'types:query',
    'view',
    'monitor',
    'heatmap',
    'raster',
    'terminal',
  ],
  cli: [
    'base',
    'model',
    'filter',
    'source',
    'kernel',
    'import',
    'recording',
    'replay',
    'history',
    'query',
    'heatmap',
    'raster',
    'terminal',
    'view',
    'monitor',
    'ui',
    'export',
    'paint',
  ],
};

/** Packages that only some folders may know. */
const PACKAGES: Record<string, readonly string[]> = {
  koffi: ['kernel'],
  'lz4-napi': ['recording'],
  ink: ['ui'],
  react: ['ui'],
  'react/jsx-runtime': ['ui'],
  chalk: ['ui'],
  blessed: ['ui'],
  'blessed-contrib/lib/widget/charts/line.js': ['ui'],
  'blessed-contrib/lib/widget/charts/stacked-bar.js': ['ui'],
  'blessed-contrib/lib/widget/gauge.js': ['ui'],
  'blessed-contrib/lib/widget/sparkline.js': ['ui'],
  'hyparquet-writer': ['export'],
  '@resvg/resvg-js': ['export'],
  yargs: ['cli'],
  'yargs/helpers': ['cli'],
};

/** The program's version, relative to `src`. */
const MANIFEST = '../package.json';

const SRC = resolve(import.meta.dirname, '../../src');
const IMPORT = /^\s*(?:import|export)\s+(type\s)?[^'"]*?from\s+['"]([^'"]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

interface Import {
  readonly file: string;
  readonly folder: string;
  readonly target: string;
  readonly typeOnly: boolean;
  readonly isDynamic: boolean;
}

function sourceFiles(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return sourceFiles(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

function importsOf(path: string): Import[] {
  const text = readFileSync(path, 'utf8');
  const file = relative(SRC, path);
  const folder = file.split('/')[0] ?? '';
  const fixed = [...text.matchAll(IMPORT)].map((match) => ({
    typeOnly: match[1] !== undefined,
    isDynamic: false,
    target: match[2] ?? '',
  }));
  const dynamic = [...text.matchAll(DYNAMIC)].map((match) => ({
    typeOnly: false,
    isDynamic: true,
    target: match[1] ?? '',
  }));
  return [...fixed, ...dynamic].map(({ typeOnly, isDynamic, target }) => ({
    file,
    folder,
    typeOnly,
    isDynamic,
    target: target.startsWith('.') ? relative(SRC, resolve(dirname(path), target)) : target,
  }));
}

function isAllowed({ folder, target, typeOnly }: Import): boolean {
  if (target.startsWith('node:')) return true;
  if (target === MANIFEST) return folder === 'cli';
  if (!target.includes('/') || target in PACKAGES)
    return PACKAGES[target]?.includes(folder) ?? false;
  const room = target.split('/')[0] ?? '';
  if (room === folder) return true;
  const allowed = ALLOWED[folder] ?? [];
  return allowed.includes(room) || (typeOnly && allowed.includes(`types:${room}`));
}

/** Each file with the files that it imports. What is loaded while the program runs ties nothing. */
function filesThatImport(imports: readonly Import[]): ReadonlyMap<string, readonly string[]> {
  const graph = new Map<string, string[]>();
  for (const { file, target, isDynamic } of imports)
    if (!isDynamic) graph.set(file, [...(graph.get(file) ?? []), target]);
  return graph;
}

/** The strongly connected parts of more than one file, by Tarjan's algorithm; each sorted. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const order = new Map<string, number>();
  const open: string[] = [];
  const visit = (file: string): number => {
    let low = order.size;
    const own = low;
    order.set(file, own);
    open.push(file);
    for (const target of graph.get(file) ?? []) {
      if (!graph.has(target)) continue;
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (open.includes(target)) low = Math.min(low, order.get(target)!);
    }
    if (low !== own) return low;
    const part = open.splice(open.indexOf(file));
    if (part.length > 1) found.push(part.sort());
    return low;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return found;
}

describe('the house', () => {
  const imports = sourceFiles(SRC).flatMap(importsOf);

  it('imports only what the table allows', () => {
    const refused = imports.filter((one) => !isAllowed(one));
    expect(refused.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  it('has no folder without a line in the table', () => {
    const rooms = readdirSync(SRC).filter((name) => !name.includes('.'));
    expect(rooms.filter((room) => !(room in ALLOWED))).toEqual([]);
  });

  it('has no files that import each other in a circle', () => {
    expect(circles(filesThatImport(imports))).toEqual([]);
  });

  it('notices a circle', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b', 'd']],
      ['d', []],
    ]);
    expect(circles(graph)).toEqual([['b', 'c']]);
  });

  it('finds imports at all', () => {
    expect(imports.length).toBeGreaterThan(20);
  });
});
