import type { Settings } from '../../view/settings.ts';

/** The view in which a source is seen best, and what to see in it. */
export interface BestView {
  readonly settings: Settings;
  readonly notice: string | undefined;
}
