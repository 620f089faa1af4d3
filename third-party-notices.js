import { readdirSync, readFileSync } from 'node:fs';

const MIT = readFileSync('LICENSE', 'utf8').replace(/^[^]*?(?=Permission is)/, '');
const ISC = `Permission to use, copy, modify, and/or distribute this software for any
purpose with or without fee is hereby granted, provided that the above
copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES
WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR
ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES
WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF
OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.
`;

/** Packages that name a licence without its text: who has the copyright, by their package.json or sources. */
const WITHOUT_TEXT = {
  'ansi-term': `Copyright (c) Yaron Naveh\n\n${ISC}`,
  'drawille-canvas-blessed-contrib': `Copyright (c) Bence Dányi\n\n${MIT}`,
  x256: `Copyright (c) James Halliday\n\n${MIT}`,
  'yoga-layout': `Copyright (c) Meta Platforms, Inc. and affiliates.\n\n${MIT}`,
};

/** What is inlined into bpf/ioheat.bpf.o: bpf_helpers.h and bpf_core_read.h. */
const LIBBPF = {
  title: 'libbpf (header files, in bpf/ioheat.bpf.o)',
  licence: 'BSD-2-Clause',
  text: `Copyright (c) 2015 The Libbpf Authors. All rights reserved.

Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions are met:

1. Redistributions of source code must retain the above copyright notice,
   this list of conditions and the following disclaimer.

2. Redistributions in binary form must reproduce the above copyright notice,
   this list of conditions and the following disclaimer in the documentation
   and/or other materials provided with the distribution.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND
ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE
FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
`,
};

const HEAD = `ioheat contains the work of others. This file has their licences; it is written by the build.
koffi, lz4-napi and @resvg/resvg-js are separate packages with their own licences, and libbpf.so.1
is loaded from the system.
`;

/** Writes the licences of every package that the bundle contains, by the bundler's list of modules. */
export const withNotices = {
  name: 'with-notices',
  generateBundle(_, bundle) {
    const notices = [...bundledPackages(bundle), 'node_modules/dejavu-fonts-ttf'].map(noticeOf);
    const byTitle = new Map([...notices, LIBBPF].map((notice) => [notice.title, notice]));
    const texts = [...byTitle.values()].map(
      ({ title, licence, text }) => `${'-'.repeat(80)}\n${title}: ${licence}\n\n${text.trim()}\n`,
    );
    const source = [HEAD, ...texts].join('\n');
    this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-NOTICES.txt', source });
  },
};

/** Directories of the packages in the bundle, sorted. */
function bundledPackages(bundle) {
  const modules = Object.values(bundle).flatMap(({ modules = {} }) => Object.keys(modules));
  const packages = modules.map((id) => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0]);
  return [...new Set(packages.filter((path) => path !== undefined))].sort();
}

function noticeOf(directory) {
  const { name, version, license, licenses } = JSON.parse(
    readFileSync(`${directory}/package.json`, 'utf8'),
  );
  const files = readdirSync(directory).filter((file) => /^(licen[sc]e|notice)/i.test(file));
  const text = files
    .map((file) => readFileSync(`${directory}/${file}`, 'utf8').trim())
    .join('\n\n');
  const known = text === '' ? WITHOUT_TEXT[name] : text;
  if (known === undefined) throw new Error(`${name} has no licence text`);
  return { title: `${name} ${version}`, licence: license ?? licenses[0].type, text: known };
}
