import type { Result } from '../base/result.ts';
import type { CommandName } from '../app/options/command-names.ts';
import { checkOptions } from './check-options.ts';
import type { Options } from '../app/options/options.ts';

/** Commands that show the heat map. */
const BARE: readonly CommandName[] = ['live', 'demo'];

/**
 * The options of a command without arguments, as `parseArgs` returns them; undefined where there are
 * arguments to parse. It saves the most common starts from loading a parser, a tenth of their time.
 */
export function bareCommand(argv: readonly string[]): Result<Options> | undefined {
  const isBare = argv.length === 0 || (argv.length === 1 && BARE.some((name) => name === argv[0]));
  return isBare ? checkOptions((argv[0] ?? 'live') as CommandName, {}) : undefined;
}
