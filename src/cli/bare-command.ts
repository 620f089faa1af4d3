import type { Result } from '../base/result.ts';
import type { CommandName } from './option-spec.ts';
import { checkOptions } from './options.ts';
import type { Options } from './options.ts';

/** Commands that draw. */
const BARE: readonly CommandName[] = ['live', 'demo'];

/**
 * The options of a command to which nothing was said, as `parseArgs` gives them; undefined where there
 * is more to read. It spares the most usual starts the loading of a parser, a tenth of their time.
 */
export function bareCommand(argv: readonly string[]): Result<Options> | undefined {
  const isBare = argv.length === 0 || (argv.length === 1 && BARE.some((name) => name === argv[0]));
  return isBare ? checkOptions((argv[0] ?? 'live') as CommandName, {}) : undefined;
}
