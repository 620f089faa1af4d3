import { basename } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { beginOutput, endBlock } from './support/output.ts';

beginOutput(basename(expect.getState().testPath!, '.bench.ts'));
afterAll(endBlock);

// The runner refuses a file without a test; a benchmark is done when it has been imported.
it('the benchmark runs to its end', () => undefined);
