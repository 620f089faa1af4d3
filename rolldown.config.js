import { copyFileSync, mkdirSync } from 'node:fs';
import { defineConfig } from 'rolldown';
import { withNotices } from './third-party-notices.js';

/** Ink looks for its developer tools where `DEV=true` is set; those are not in the bundle. */
const withoutDevtools = {
  name: 'without-devtools',
  load: (id) => {
    if (id.endsWith('/ink/build/utils.js')) return 'export const isDev = () => false;';
    return id.endsWith('/ink/build/devtools.js') ? 'export {};' : undefined;
  },
};

/** What charts are made of; a screen needs the log. */
const BLESSED_WIDGETS = ['Node', 'Screen', 'Element', 'Box', 'Text', 'Log'];

/**
 * blessed loads its widgets by names put together at run time, which a bundler cannot follow: these
 * are the ones in use. What it drives terminals with is not: charts are drawn on a hidden screen.
 */
const onlyTheWidgets = {
  name: 'only-the-widgets',
  load: (id) => {
    if (/\/blessed\/lib\/(program|tput)\.js$/.test(id)) return 'module.exports = {};';
    if (!id.endsWith('/blessed/lib/widget.js')) return undefined;
    const lines = BLESSED_WIDGETS.map((name) => {
      const path = `./widgets/${name.toLowerCase()}`;
      return `exports.${name} = exports.${name.toLowerCase()} = require('${path}');`;
    });
    return lines.join('\n');
  },
};

const OLD_PACKAGES = /\/node_modules\/(blessed|blessed-contrib|ansi-term|[\w-]*drawille[\w-]*)\//;

/**
 * The bundle is a module, in which octal escapes are an error; and outside of node_modules Node warns
 * of `new Buffer`.
 */
const oldJavaScript = {
  name: 'old-javascript',
  transform: (code, id) => {
    if (!OLD_PACKAGES.test(id)) return undefined;
    return (
      code
        .replaceAll('new Buffer(', 'Buffer.alloc(')
        // Half a megabyte for one call, which is not made where the largest value is given.
        .replace("require('lodash')", '{ max: (values) => Math.max(...values) }')
        .replace(/\\([0-3][0-7]{2})/g, (_, octal) => {
          return `\\x${Number.parseInt(octal, 8).toString(16).padStart(2, '0')}`;
        })
    );
  },
};

/**
 * What the first frame would wait for, and needs nothing of. Every text that is laid out is sanitised,
 * and takes a column a character; finding that out with the tables of Unicode takes 25 ms. Yoga would
 * `fetch` the program that it carries, and Node load its HTTP client for that, in 30 ms.
 */
const soonOnScreen = {
  name: 'soon-on-screen',
  load: (id) => {
    if (!id.endsWith('/string-width/index.js')) return undefined;
    return String.raw`export default (text) => [...text.replace(/\x1b\[[\d;]*m/g, '')].length;`;
  },
  transform: (code, id) => {
    if (!id.endsWith('/yoga-wasm-base64-esm.js')) return undefined;
    const NO_FETCH = '"function"!=typeof fetch';
    if (!code.includes(NO_FETCH)) throw new Error(`${id} asks for fetch in another way`);
    return code.replaceAll(NO_FETCH, 'true');
  },
};

/**
 * The parser of the command line looks for a `package.json` from the current directory upwards, and for
 * translations beside the program's folder; stage 1 of live tracing runs it as root. Nothing of that is
 * needed, so it is given no way to read files.
 */
const parserReadsNothing = {
  name: 'parser-reads-nothing',
  transform: (code, id) => {
    if (id.endsWith('/yargs/lib/platform-shims/esm.mjs'))
      return replaceAll(id, code, {
        'findUp: escalade,': 'findUp: () => undefined,',
        'mainFilename: mainFilename || process.cwd(),': "mainFilename: '/',",
        '  readFileSync,\n': '',
      });
    if (id.endsWith('/y18n/build/lib/platform-shims/node.js'))
      return replaceAll(id, code, { 'fs: {': 'fs: {}, unused: {', 'statSync(file)': 'undefined' });
    return undefined;
  },
};

/**
 * The native module is required: imported, it is three files that are waited for one after the other, in both stages of a
 * start as root.
 */
const nativeAtOnce = {
  name: 'native-at-once',
  resolveId: (id) => (id === 'koffi' ? NATIVE : undefined),
  load: (id) => {
    if (id !== NATIVE) return undefined;
    return `import { createRequire } from 'node:module';
      export default createRequire(import.meta.url)('koffi');`;
  },
};

const NATIVE = '\0native';

/** What is not there any more has changed its form, and its effect may be lost. */
function replaceAll(id, code, replacements) {
  return Object.entries(replacements).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`${id} no longer has "${from}"`);
    return text.replaceAll(from, to);
  }, code);
}

/**
 * Few files, as each costs milliseconds to load: what is loaded with power, before it is dropped, what
 * every command needs, and what draws. A file has what its modules import, too, unless another has it. Charts,
 * dialogs and the parser of the command line are loaded when they are first needed.
 */
const GROUPS = [
  {
    name: 'gate',
    test: /\/src\/(base\/(result|sanitize|system-error)|app\/(privilege\/(named|privilege)|process\/(address|complain|exit|fail|ignored|print))|terminal\/standard|kernel\/privilege\/(capabilities|receive|rings))/,
    priority: 3,
  },
  { name: 'drop', test: /\0native|\/src\/kernel\/(privilege|native\/syscalls)/, priority: 2 },
  {
    name: 'main',
    test: /\/src\/(cli\/main|app\/(open\/(clocks|filter-from|layers-of)|session\/initial|process\/end|notes\/waiting|jobs\/file-job))/,
    priority: 2,
  },
  {
    name: 'base',
    test: /\/src\/(base\/(?!safe-json)|model|terminal\/(?!block-text|escape-sequence|parse-ansi|sgr)|trace\/(?!import|recording|replay|synthetic\/(?!patterns\.ts)))/,
    priority: 2,
  },
  { name: 'view', test: /\/src\/(filter\/(?!match\/kernel-filter)|view\/)/, priority: 2 },
  {
    name: 'screen',
    test: /\/src\/(ui\/(?!charts\/(?!trend-pane)|dialogs\/|tables\/(column-meanings|file-cell))|history|query\/(?!in-flight\/in-flight-before|trend\/)|heatmap|raster|monitor)/,
    priority: 1,
  },
];

const FONTS = 'node_modules/dejavu-fonts-ttf';

/** Pictures look the same wherever they are made: their fonts come along. */
const withFonts = {
  name: 'with-fonts',
  writeBundle: () => {
    mkdirSync('dist/fonts', { recursive: true });
    for (const name of ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'])
      copyFileSync(`${FONTS}/ttf/${name}`, `dist/fonts/${name}`);
    copyFileSync(`${FONTS}/LICENSE`, 'dist/fonts/LICENSE');
  },
};

export default defineConfig({
  input: { ioheat: 'src/cli/entry.ts' },
  platform: 'node',
  // Each finds its native module relative to its own files.
  external: ['lz4-napi', '@resvg/resvg-js'],
  plugins: [
    withoutDevtools,
    onlyTheWidgets,
    oldJavaScript,
    soonOnScreen,
    parserReadsNothing,
    nativeAtOnce,
    withFonts,
    withNotices,
  ],
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  output: {
    dir: 'dist',
    format: 'esm',
    cleanDir: true,
    minify: { mangle: false, compress: false, codegen: true },
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: GROUPS },
  },
});
