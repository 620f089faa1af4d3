import type { OutputChunk } from 'rolldown';
import { beforeAll, expect, test } from 'vitest';
import { builtBundle } from './built-bundle.ts';

/** Loaded one after the other before the first frame, whatever the source is. */
const LOADED = ['src/cli/entry.ts', 'src/cli/main.ts', 'src/app/session/session.ts'];

/** Node reads and parses about 25 bytes of this code in a microsecond; 0.1.0 had 940 kB. */
const MOST_BYTES = 700_000;

let chunks: OutputChunk[] = [];

beforeAll(async () => {
  chunks = (await builtBundle()).filter((part) => part.type === 'chunk');
});

/** Chunks that hold what is loaded, and all that these import before they run. */
function loadedChunks(): OutputChunk[] {
  const found = new Set<OutputChunk>();
  const visit = (chunk: OutputChunk | undefined): void => {
    if (chunk === undefined || found.has(chunk)) return;
    found.add(chunk);
    for (const name of chunk.imports) visit(chunks.find(({ fileName }) => fileName === name));
  };
  for (const module of LOADED) {
    const holder = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)));
    expect(holder, module).toBeDefined();
    visit(holder);
  }
  return [...found];
}

test('no chart, dialog or command-line parser is loaded before the first frame', () => {
  const modules = loadedChunks().flatMap(({ moduleIds }) => moduleIds);
  expect(modules.length).toBeGreaterThan(100);
  expect(modules.filter((id) => /node_modules\/(blessed|react|ink|yargs)/.test(id))).toEqual([]);
});

test('little code is loaded before the first frame', () => {
  const bytes = loadedChunks().reduce((sum, { code }) => sum + Buffer.byteLength(code), 0);
  expect(bytes).toBeLessThan(MOST_BYTES);
});
