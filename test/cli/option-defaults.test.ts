import { expect, it } from 'vitest';
import { OPTION_TABLE } from '../../src/cli/option-table.ts';
import { DEFAULT_VIEW } from '../../src/view/state.ts';

it.each(['metric', 'layout', 'scale', 'palette', 'background', 'weight'] as const)(
  'the help names the default of --%s that the picture has',
  (name) => {
    const ofPictures = OPTION_TABLE.filter(
      (spec) => spec.name === name && !spec.commands.includes('paint'),
    );
    expect(ofPictures.length).toBeGreaterThan(0);
    for (const { fallback } of ofPictures) expect(fallback).toBe(DEFAULT_VIEW[name]);
  },
);
