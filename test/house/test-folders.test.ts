import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

/** Folders of `test` that belong to no room: whole-program tests, witnesses, tools. */
const ACROSS_ROOMS = [
  'bench',
  'browser',
  'e2e',
  'faults',
  'fixtures',
  'house',
  'load',
  'machines',
  'tools',
] as const;

/** Folders that contain files, relative to `test`. An empty folder is not part of a checkout. */
function folders(): string[] {
  const files = readdirSync('test', { recursive: true, withFileTypes: true });
  const parents = files.filter((entry) => entry.isFile()).map((entry) => entry.parentPath);
  return [...new Set(parents.map((path) => relative('test', path)))];
}

test('each folder of tests has the path of the folder of src that it tests', () => {
  const ofRooms = folders()
    .map((path) => path.replace(/\/fixtures(\/.*)?$/, ''))
    .filter((path) => !ACROSS_ROOMS.some((name) => path.split('/')[0] === name));
  expect(ofRooms).toContain('trace/import');
  expect(ofRooms.filter((path) => !existsSync(join('src', path)))).toEqual([]);
});

test('each room of src has a folder of tests', () => {
  const rooms = readdirSync('src').filter((name) => !existsSync(join('test', name)));
  expect(rooms).toEqual([]);
});
