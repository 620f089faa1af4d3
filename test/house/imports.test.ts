import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Rooms, lowest first, with the rooms that each may import; `types:x` allows `import type` only. */
const ROOMS: Record<string, readonly string[]> = {
  base: [],
  model: [],
  filter: ['base', 'model'],
  trace: ['base', 'model'],
  kernel: ['base', 'model', 'types:trace'],
  history: ['base', 'model', 'filter', 'types:trace'],
  query: ['base', 'model', 'filter', 'types:trace', 'history'],
  heatmap: ['base', 'model', 'filter', 'types:trace', 'history'],
  raster: ['base', 'model', 'heatmap'],
  terminal: ['base'],
  paint: ['base'],
  view: ['base', 'model', 'filter'],
  monitor: ['base', 'model', 'filter', 'types:trace', 'history', 'query', 'heatmap'],
  export: ['base', 'model', 'filter', 'types:trace', 'history', 'query', 'heatmap', 'raster'],
  ui: [
    'base',
    'model',
    'filter',
    'types:query',
    'heatmap',
    'raster',
    'terminal',
    'view',
    'types:monitor',
  ],
  app: [
    'base',
    'model',
    'filter',
    'trace',
    'kernel',
    'history',
    'terminal',
    'paint',
    'view',
    'monitor',
    'export',
    'ui',
  ],
  cli: ['base', 'model', 'filter', 'trace', 'kernel', 'terminal', 'paint', 'view', 'export', 'app'],
};

/** Inside a room: which folder may import which; `.` stands for the files of the room itself. */
const FOLDERS: Record<string, Readonly<Record<string, readonly string[]>>> = {
  filter: {
    '.': [],
    language: ['.'],
    match: ['.'],
  },
  trace: {
    '.': [],
    import: ['.'],
    recording: ['.'],
    replay: ['.'],
    synthetic: ['.'],
  },
  kernel: {
    abi: [],
    machine: [],
    native: [],
    privilege: ['native'],
    attach: ['abi', 'machine', 'native', 'privilege'],
    counts: ['abi', 'machine', 'attach'],
    doctor: ['abi', 'native', 'machine', 'privilege', 'attach'],
    live: ['abi', 'machine', 'native', 'attach', 'counts'],
  },
  history: {
    slices: [],
    utilization: ['slices'],
    '.': ['slices', 'utilization'],
    estimate: ['slices'],
    scan: ['slices', '.'],
    window: ['estimate', 'scan'],
  },
  query: {
    tally: [],
    activity: ['tally'],
    slowest: ['activity'],
    'in-flight': ['activity', 'box'],
    box: ['tally', 'activity', 'slowest'],
    trend: ['tally', 'activity'],
  },
  heatmap: {
    axis: [],
    time: ['axis'],
    cells: ['axis', 'time'],
    joint: ['axis', 'time'],
    lanes: ['axis', 'time'],
  },
  view: {
    '.': [],
    keys: ['.'],
    reduce: ['.'],
  },
  export: {
    '.': [],
    picture: ['.'],
    rows: ['.'],
    trace: ['rows'],
    report: ['.', 'picture', 'rows', 'trace'],
  },
  ui: {
    '.': [],
    text: [],
    charts: ['.', 'text'],
    status: ['.', 'text'],
    tables: ['text'],
    dialogs: ['.', 'text', 'status', 'tables'],
    header: ['text'],
    picture: ['text'],
    frame: ['.', 'text', 'charts', 'status', 'tables', 'dialogs', 'header', 'picture'],
  },
  app: {
    options: [],
    playback: [],
    privilege: ['options'],
    open: ['options', 'playback', 'privilege', 'process'],
    process: [],
    notes: [],
    jobs: ['options', 'open', 'process'],
    session: ['options', 'playback', 'open', 'process', 'notes', 'jobs'],
    run: ['options', 'playback', 'privilege', 'open', 'process', 'notes', 'jobs', 'session'],
  },
};

/** Packages that only some folders may know. */
const PACKAGES: Record<string, readonly string[]> = {
  koffi: ['kernel'],
  'lz4-napi': ['trace'],
  ink: ['ui'],
  react: ['ui'],
  chalk: ['app', 'ui'],
  blessed: ['ui'],
  'blessed-contrib/lib/widget/charts/line.js': ['ui'],
  'blessed-contrib/lib/widget/charts/stacked-bar.js': ['ui'],
  'blessed-contrib/lib/widget/gauge.js': ['ui'],
  'blessed-contrib/lib/widget/sparkline.js': ['ui'],
  'hyparquet-writer': ['export'],
  '@resvg/resvg-js': ['export'],
  yargs: ['cli'],
  'yargs-parser': ['cli'],
};

/** The program's version, relative to `src`. */
const MANIFEST = '../package.json';

const SRC = resolve(import.meta.dirname, '../../src');
const IMPORT = /^\s*(?:import|export)\s+(type\s)?[^'"]*?from\s+['"]([^'"]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

interface Import {
  /** Relative to `src`. */
  readonly file: string;
  /** The same, or the name of a package. */
  readonly target: string;
  readonly typeOnly: boolean;
  readonly isDynamic: boolean;
}

interface Place {
  readonly room: string;
  /** `.` for a file of the room itself. What lies deeper belongs to its folder. */
  readonly folder: string;
}

function placeOf(path: string): Place {
  const [room = '', folder = '', rest] = path.split('/');
  return { room, folder: rest === undefined ? '.' : folder };
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
  return [...fixed, ...dynamic].map((one) => ({
    ...one,
    file,
    target: one.target.startsWith('.')
      ? relative(SRC, resolve(dirname(path), one.target))
      : one.target,
  }));
}

function isInside({ target }: Import): boolean {
  return /\.tsx?$/.test(target) && !target.startsWith('..');
}

/** The permission that an import needs, as `room` and an entry of its line; undefined for none. */
function roomPermissions(one: Import): string[] | undefined {
  const [from, to] = [placeOf(one.file), placeOf(one.target)];
  if (from.room === to.room) return undefined;
  return one.typeOnly ? [`types:${to.room}`, to.room] : [to.room];
}

function folderPermission(one: Import): string | undefined {
  const [from, to] = [placeOf(one.file), placeOf(one.target)];
  return from.room !== to.room || from.folder === to.folder ? undefined : to.folder;
}

function isAllowed(one: Import): boolean {
  const { room, folder } = placeOf(one.file);
  if (!isInside(one)) return isAllowedOutside(one);
  const inRoom = folderPermission(one);
  if (inRoom !== undefined) return FOLDERS[room]?.[folder]?.includes(inRoom) ?? false;
  return roomPermissions(one)?.some((name) => ROOMS[room]?.includes(name)) ?? true;
}

function isAllowedOutside({ file, target }: Import): boolean {
  if (target.startsWith('node:')) return true;
  const { room } = placeOf(file);
  return target === MANIFEST ? room === 'app' : (PACKAGES[target]?.includes(room) ?? false);
}

/** Permissions as `room → other`, `room/folder → folder` and `room → package`. */
function grantedPermissions(): string[] {
  const ofRooms = Object.entries(ROOMS).flatMap(([room, others]) =>
    others.map((other) => `${room} → ${other}`),
  );
  const ofFolders = Object.entries(FOLDERS).flatMap(([room, folders]) =>
    Object.entries(folders).flatMap(([folder, others]) =>
      others.map((other) => `${room}/${folder} → ${other}`),
    ),
  );
  const ofPackages = Object.entries(PACKAGES).flatMap(([name, rooms]) =>
    rooms.map((room) => `${room} → ${name}`),
  );
  return [...ofRooms, ...ofFolders, ...ofPackages];
}

/** A permission for values is needed where a value is imported; one for types where nothing more is. */
function neededPermissions(imports: readonly Import[]): Set<string> {
  const needed = new Set<string>();
  const values = new Set(imports.filter((one) => !one.typeOnly).map(edgeOf));
  for (const one of imports) {
    const { room, folder } = placeOf(one.file);
    const inRoom = isInside(one) ? folderPermission(one) : undefined;
    if (inRoom !== undefined) needed.add(`${room}/${folder} → ${inRoom}`);
    else if (!isInside(one)) needed.add(`${room} → ${one.target}`);
    else
      needed.add(`${room} → ${values.has(edgeOf(one)) ? '' : 'types:'}${placeOf(one.target).room}`);
  }
  return needed;
}

function edgeOf({ file, target }: Import): string {
  return `${placeOf(file).room} → ${placeOf(target).room}`;
}

/** Each file with the files that it imports. What is loaded while the program runs ties nothing. */
function filesThatImport(imports: readonly Import[]): ReadonlyMap<string, readonly string[]> {
  const graph = new Map<string, string[]>();
  for (const { file, target, isDynamic } of imports)
    if (!isDynamic) graph.set(file, [...(graph.get(file) ?? []), target]);
  return graph;
}

/** The strongly connected parts of more than one node, by Tarjan's algorithm; each sorted. */
function cycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const order = new Map<string, number>();
  const open: string[] = [];
  const visit = (node: string): number => {
    let low = order.size;
    const own = low;
    order.set(node, own);
    open.push(node);
    for (const target of graph.get(node) ?? []) {
      if (!graph.has(target)) continue;
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (open.includes(target)) low = Math.min(low, order.get(target)!);
    }
    if (low !== own) return low;
    const part = open.splice(open.indexOf(node));
    if (part.length > 1) found.push(part.sort());
    return low;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return found;
}

/** Rooms count as below each other for types as well. */
function roomGraph(): ReadonlyMap<string, readonly string[]> {
  const plain = (name: string): string => name.replace('types:', '');
  return new Map(Object.entries(ROOMS).map(([room, others]) => [room, others.map(plain)]));
}

function foldersOf(room: string): string[] {
  const entries = readdirSync(join(SRC, room), { withFileTypes: true });
  const folders = entries
    .filter((entry) => entry.isDirectory() && sourceFiles(join(SRC, room, entry.name)).length > 0)
    .map(({ name }) => name);
  const hasFiles = entries.some((entry) => entry.isFile());
  return folders.length > 0 && hasFiles ? ['.', ...folders] : folders;
}

describe('the import table', () => {
  const imports = sourceFiles(SRC).flatMap(importsOf);

  it('the import table covers every import of src', () => {
    const refused = imports.filter((one) => !isAllowed(one));
    expect(refused.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  it('the import table permits nothing that no file needs', () => {
    const needed = neededPermissions(imports);
    expect(grantedPermissions().filter((one) => !needed.has(one))).toEqual([]);
  });

  it('the import table has a line for each room of src', () => {
    const rooms = new Set(imports.map(({ file }) => placeOf(file).room));
    expect(Object.keys(ROOMS).sort()).toEqual([...rooms].sort());
  });

  it('the import table has a line for each folder of a room', () => {
    const listed = Object.keys(ROOMS).map((room) => [
      room,
      Object.keys(FOLDERS[room] ?? {}).sort(),
    ]);
    const found = Object.keys(ROOMS).map((room) => [room, foldersOf(room).sort()]);
    expect(listed).toEqual(found);
  });

  it('the import table lets no rooms import each other in a circle', () => {
    expect(cycles(roomGraph())).toEqual([]);
  });

  it.each(Object.keys(FOLDERS))(
    'the import table lets no folders of %s import each other in a circle',
    (room) => {
      expect(cycles(new Map(Object.entries(FOLDERS[room]!)))).toEqual([]);
    },
  );

  it('the import table is read from files of which none import each other in a circle', () => {
    expect(cycles(filesThatImport(imports))).toEqual([]);
  });

  it('the import table is read from imports that were found', () => {
    expect(imports.length).toBeGreaterThan(1000);
  });

  it('the import table would be refused with a circle', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b', 'd']],
      ['d', []],
    ]);
    expect(cycles(graph)).toEqual([['b', 'c']]);
  });
});
