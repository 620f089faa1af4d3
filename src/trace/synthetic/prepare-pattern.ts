import { bursts } from './patterns/bursts.ts';
import { icyLake } from './patterns/icy-lake.ts';
import { layers } from './patterns/layers.ts';
import { levels } from './patterns/levels.ts';
import { mixed } from './patterns/mixed.ts';
import { offsets } from './patterns/offsets.ts';
import { pterodactyl } from './patterns/pterodactyl.ts';
import { shouting } from './patterns/shouting.ts';
import { storm } from './patterns/storm.ts';
import { twoBands } from './patterns/two-bands.ts';
import type { PatternName } from './patterns.ts';
import type { FillSlot } from './slot-rows.ts';
import type { Stage } from './stage.ts';

/**
 * Adds the disks and processes of a pattern. The function that it returns depends only on the slot. Separate from the
 * names and titles, which every start of the program reads.
 */
export const PREPARE: Readonly<Record<PatternName, (stage: Stage) => FillSlot>> = {
  mixed,
  'two-bands': twoBands,
  'icy-lake': icyLake,
  pterodactyl,
  levels,
  bursts,
  shouting,
  offsets,
  storm,
  layers,
};
