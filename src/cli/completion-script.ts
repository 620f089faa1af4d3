import { bashCompletion } from './completion-bash.ts';
import { fishCompletion } from './completion-fish.ts';
import { zshCompletion } from './completion-zsh.ts';
import type { Shell } from './shells.ts';

const SCRIPTS: Readonly<Record<Shell, () => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** What `ioheat completion` prints. The scripts run in the user's shell and never start ioheat. */
export function completionScript(shell: Shell): string {
  return SCRIPTS[shell]().trimEnd();
}
