import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentText, ROOT } from './documents.ts';

const DOCUMENTS = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(resolve(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'test/README.md',
  'bpf/README.md',
];

/** Links and pictures of a Markdown text that lead into the project, outside of code. */
function linksOf(text: string): string[] {
  const prose = text.replaceAll(/^```[^]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => match[1]!)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors of the headings, as GitHub names them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map((match) =>
    match[1]!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function isDead(document: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? document : relative(ROOT, resolve(ROOT, dirname(document), path));
  if (!existsSync(join(ROOT, file))) return true;
  return anchor !== undefined && !anchorsOf(documentText(file)).includes(anchor);
}

/** Files and folders of the project that a text names in backticks, also in commands, without a function or a pattern. */
function pathsOf(text: string): string[] {
  const PATH = /^((?:src|test|bpf|docs|bin|snapshots)\/[\w./-]*)(?::\w+)?$/;
  const words = [...text.matchAll(/`([^`\n]+)`/g)].flatMap((match) => match[1]!.split(/[\s=]+/));
  return words.flatMap((word) => PATH.exec(word)?.[1] ?? []);
}

describe('links', () => {
  it.each(DOCUMENTS)('links of %s lead to files and headings that exist', (document) => {
    const links = linksOf(documentText(document));
    expect(links.filter((target) => isDead(document, target))).toEqual([]);
  });

  it.each(DOCUMENTS)('links in backticks in %s name files that exist', (document) => {
    const paths = pathsOf(documentText(document));
    expect(paths.filter((path) => !existsSync(resolve(ROOT, path)))).toEqual([]);
  });

  it('links are found: README links to every page of docs', () => {
    const linked = new Set(linksOf(documentText('README.md')).map((link) => link.split('#')[0]));
    const pages = DOCUMENTS.filter((name) => name.startsWith('docs/'));
    expect(pages.filter((page) => !linked.has(page))).toEqual([]);
  });

  it('a dead link to a file and one to a heading are noticed', () => {
    expect(isDead('README.md', 'docs/options.md#exit-codes')).toBe(false);
    expect(isDead('README.md', 'docs/options.md#no-such-heading')).toBe(true);
    expect(isDead('docs/options.md', 'README.md')).toBe(true);
  });
});
