import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { builtBundle } from './built-bundle.ts';
import { ROOT } from './documents.ts';

const NOTICES = 'THIRD-PARTY-NOTICES.txt';

/** Directories of the packages whose sources the source maps of a build name. */
let packages: string[] = [];
let notices = '';

const PACKAGE = /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/;

beforeAll(async () => {
  const built = await builtBundle({ sourcemap: true });
  const sources = built.flatMap((part) => (part.type === 'chunk' ? (part.map?.sources ?? []) : []));
  packages = [...new Set(sources.flatMap((path) => PACKAGE.exec(path)?.[0] ?? []))];
  const asset = built.find(({ fileName }) => fileName === NOTICES);
  notices = asset?.type === 'asset' ? String(asset.source) : '';
});

/** The entry of a package: from its title to the next line of dashes. */
function entryOf(title: string): string {
  const from = notices.indexOf(`\n${title}: `);
  return from < 0 ? '' : notices.slice(from).split(`\n${'-'.repeat(80)}\n`)[0]!;
}

test('the notices have each package of the bundle, with its version and the text of its licence', () => {
  expect(packages.length).toBeGreaterThan(20);
  const lacking = packages.filter((path) => {
    const { name, version } = JSON.parse(
      readFileSync(resolve(ROOT, path, 'package.json'), 'utf8'),
    ) as { name: string; version: string };
    return !/Permission (is|to)[^]*(SOFTWARE IS PROVIDED|SOFTWARE OR)/i.test(
      entryOf(`${name} ${version}`),
    );
  });
  expect(lacking).toEqual([]);
});

test('the notices have the fonts of pictures and what the eBPF object takes from libbpf', () => {
  expect(entryOf('dejavu-fonts-ttf 2.37.3')).toContain('Bitstream');
  expect(entryOf('libbpf (header files, in bpf/ioheat.bpf.o)')).toContain(
    'Redistributions in binary',
  );
});

test('the package contains the notices, its licence, its documents and the eBPF object', () => {
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }];
  expect(files.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      `dist/${NOTICES}`,
      'LICENSE',
      'README.md',
      'docs/options.md',
      'bpf/ioheat.bpf.o',
    ]),
  );
});
