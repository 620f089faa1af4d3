import { Chalk } from 'chalk';
import type { ChalkInstance } from 'chalk';
import { detectCapabilities } from '../../terminal/capabilities.ts';
import type { Environment, TerminalLike } from '../../terminal/capabilities.ts';

/** Styles in the terminal's own 16 colours for what a command prints; plain in a pipe. */
export function stylesFor(output: TerminalLike, env: Environment = process.env): ChalkInstance {
  return new Chalk({ level: detectCapabilities(env, output).colors === 'none' ? 0 : 1 });
}
