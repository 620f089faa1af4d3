import { defineConfig } from 'rolldown';

/** Ink asks for its optional developer tools only in development; the bundle must not need them. */
const withoutDevtools = {
  name: 'without-devtools',
  resolveId: (id) => (id === 'react-devtools-core' ? '\0empty' : undefined),
  load: (id) => (id === '\0empty' ? 'export default undefined;' : undefined),
};

export default defineConfig({
  input: { ioheat: 'src/cli/main.ts' },
  platform: 'node',
  // koffi finds its native module relative to its own files.
  external: ['koffi'],
  plugins: [withoutDevtools],
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  output: {
    dir: 'dist',
    format: 'esm',
    cleanDir: true,
    minify: false,
    chunkFileNames: '[name]-[hash].js',
  },
});
