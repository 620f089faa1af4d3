import { expect, it } from 'vitest';
import { COMMANDS } from '../../../src/app/options/command-names.ts';
import { needByName, PRIVILEGE_TABLE } from '../../../src/app/privilege/privilege-table.ts';

it('the privilege table has each command with what it needs root for, and no other word', () => {
  expect(COMMANDS.filter((name) => needByName(name) === undefined)).toEqual([]);
  for (const word of [undefined, '', '--once', 'toString', '__proto__'])
    expect(needByName(word)).toBeUndefined();
});

it('only commands that trace or paint a disk may keep privileges', () => {
  const holding = Object.entries(PRIVILEGE_TABLE).filter(([, need]) => need !== 'nothing');
  expect(Object.fromEntries(holding)).toEqual({
    live: 'attach',
    record: 'attach',
    doctor: 'trial',
    paint: 'descriptor',
  });
});
