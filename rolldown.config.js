import { defineConfig } from 'rolldown';

/** Ink looks for its developer tools where `DEV=true` is set; those are not in the bundle. */
const withoutDevtools = {
  name: 'without-devtools',
  load: (id) => {
    if (id.endsWith('/ink/build/utils.js')) return 'export const isDev = () => false;';
    return id.endsWith('/ink/build/devtools.js') ? 'export {};' : undefined;
  },
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
