import { expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/option-spec.ts';
import { needByName, POWER_TABLE } from '../../src/cli/power-table.ts';

it('says of every command what it needs root for, and of no other word', () => {
  expect(COMMANDS.filter((name) => needByName(name) === undefined)).toEqual([]);
  for (const word of [undefined, '', '--once', 'toString', '__proto__'])
    expect(needByName(word)).toBeUndefined();
});

it('lets no command but those that trace or paint a disk hold power', () => {
  const holding = Object.entries(POWER_TABLE).filter(([, need]) => need !== 'nothing');
  expect(Object.fromEntries(holding)).toEqual({
    live: 'attach',
    record: 'attach',
    doctor: 'trial',
    paint: 'descriptor',
  });
});
