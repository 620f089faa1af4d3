import { rolldown } from 'rolldown';
import type { InputOptions, OutputOptions, RolldownOutput } from 'rolldown';
import { ROOT } from './documents.ts';

/** What the build would write, in memory. */
export async function builtBundle(changed: OutputOptions = {}): Promise<RolldownOutput['output']> {
  const { default: config } = (await import(`${ROOT}/rolldown.config.js`)) as {
    default: InputOptions & { readonly output: OutputOptions };
  };
  const { output, ...input } = config;
  const bundle = await rolldown({ ...input, logLevel: 'silent' });
  return (await bundle.generate({ ...output, ...changed })).output;
}
