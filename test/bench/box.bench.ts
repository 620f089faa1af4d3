import { runBundled } from './support/run-bundled.ts';

await runBundled('box');
