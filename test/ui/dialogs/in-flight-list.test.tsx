import { describe, expect, test } from 'vitest';
import { QUIET_COLORS } from '../../../src/raster/put-text.ts';
import type { Layer } from '../../../src/model/layer.ts';
import type { InFlightRow } from '../../../src/model/in-flight.ts';
import { InFlightList } from '../../../src/ui/dialogs/in-flight-list.tsx';
import type { ListedInFlight } from '../../../src/ui/dialogs/listed-in-flight.ts';
import { READ_IN_FLIGHT } from '../../model/in-flight-read.ts';
import { shownCells, shownLines, textWithLook } from '../fixtures/shown-dialog.tsx';

const clockBase = { monotonicNs: 0n, wallNs: BigInt(Date.UTC(2026, 0, 1, 12)) * 1_000_000n };
const NOW = { atNs: undefined, isLongOnly: false };
const LATER = { atNs: 3.25e9, isLongOnly: false };
const LONG_ONLY = { atNs: 3e9, isLongOnly: true };

const SELECTED = 'inverse fg 32';

const WRITE: InFlightRow = {
  ...READ_IN_FLIGHT,
  ageNs: 0.2e9,
  stage: 'queued',
  tgid: undefined,
  comm: '(unknown)',
  opClass: 'write',
  bytes: undefined,
  sector: undefined,
};

function lines(
  rows: readonly InFlightRow[] | undefined,
  width = 90,
  moment: Partial<ListedInFlight> = {},
  layer: Layer = 'disks',
  { isPrecise = false, isFiltered = false } = {},
): readonly string[] {
  const listed = { ...NOW, rows, ...moment };
  const list = (
    <InFlightList
      {...{ listed, isPrecise, isFiltered, clockBase, layer, width }}
      {...{ top: 0, height: 6 }}
    />
  );
  return shownLines(list, width);
}

describe('the list of I/Os in flight', () => {
  test('the list of I/Os in flight has the oldest first, where it is, whose it is, and its place', () => {
    expect(lines([READ_IN_FLIGHT, WRITE]).join('\n')).toMatchInlineSnapshot(`
      "┌ 2 I/Os in flight, the oldest for 12s on sda ───────────────────────────────────────────┐
      │   ▾AGE STAGE         DISK           PID COMM             OP       SIZE      SECTOR     │
      │!   12s at the device sda            892 mysqld           read      16K    58593750     │
      │  200ms queued        sda              - (unknown)        write       -           -     │
      │                                                                                        │
      └ I/O waiting for a request is not listed  Enter: only its process  Esc: close ──────────┘"
    `);
  });

  test('the list of I/Os in flight has what is in a volume next to what its disk has of it', () => {
    const above: InFlightRow = {
      ...READ_IN_FLIGHT,
      layer: 'volumes',
      stage: 'in the volume',
      disk: 'vg0-data',
    };
    expect(lines([above, READ_IN_FLIGHT]).join('\n')).toMatchInlineSnapshot(`
      "┌ 1 I/O in flight on disks, 1 in volumes, the oldest for 12s on vg0-data ────────────────┐
      │   ▾AGE STAGE         DISK           PID COMM             OP       SIZE      SECTOR     │
      │!   12s in the volume vg0-data       892 mysqld           read      16K    58593750     │
      │!   12s at the device sda            892 mysqld           read      16K    58593750     │
      │                                                                                        │
      └ I/O waiting for a request is not listed  Enter: only its process  Esc: close ──────────┘"
    `);
  });

  const OF_FILE: InFlightRow = { ...READ_IN_FLIGHT, file: '/var/lib/mysql/shop/orders.ibd' };

  test('the list of I/Os in flight has the file, and the kernel thread that submitted what a process wrote', () => {
    const written: InFlightRow = {
      ...OF_FILE,
      opClass: 'write',
      indirect: true,
      via: 'kworker/u8:3',
      hasOtherFiles: true,
    };
    expect(lines([OF_FILE, written], 140).join('\n')).toMatchInlineSnapshot(`
      "┌ 2 I/Os in flight, the oldest for 12s on sda ─────────────────────────────────────────────────────────────────────────────────────────────┐
      │   ▾AGE  STAGE          DISK            PID  COMM              VIA               FILE                          OP        SIZE       SECTOR│
      │!   12s  at the device  sda             892  mysqld                              …/lib/mysql/shop/orders.ibd   read       16K     58593750│
      │!   12s  at the device  sda             892  mysqld*           kworker/u8:3      …/lib/mysql/shop/orders.ibd+  write      16K     58593750│
      │                                                                                                                                          │
      └ I/O that still waits for a free request is not listed  Enter: only its process  Esc: close ──────────────────────────────────────────────┘"
    `);
  });

  test('the list of I/Os in flight keeps the file longer than size and sector on a narrow screen', () => {
    expect(lines([OF_FILE], 80).join('\n')).toMatchInlineSnapshot(`
      "┌ 1 I/O in flight, the oldest for 12s on sda ──────────────────────────────────┐
      │   ▾AGE STAGE         DISK           PID COMM         FILE             OP     │
      │!   12s at the device sda            892 mysqld       …/orders.ibd     read   │
      │                                                                              │
      │                                                                              │
      └ I/O waiting for a request is not listed  Enter: only its process  Esc: close ┘"
    `);
  });

  test('the list of I/Os in flight marks what has been in flight for a second', () => {
    const [, , old, young] = lines([READ_IN_FLIGHT, WRITE]);
    expect(old).toMatch(/^│!/);
    expect(young).toMatch(/^│ /);
  });

  test('the list of I/Os in flight says that nothing is in flight, or that nothing can know it', () => {
    expect(lines([]).join('\n')).toContain('nothing is in flight now');
    expect(lines(undefined).join('\n')).toContain('what was in flight is unknown in this trace');
    expect(lines([], 90, LATER).join('\n')).toContain('nothing was in flight ');
    expect(lines([], 90, LONG_ONLY).join('\n')).toContain('nothing was in flight for 1s or longer');
    expect(lines([READ_IN_FLIGHT], 100, LONG_ONLY).join('\n')).toContain(
      'only I/O that was in flight for 1s or longer is known',
    );
    const byFilter = 'or nothing that the filter shows';
    expect(lines([]).join('\n')).not.toContain(byFilter);
    expect(lines([], 90, {}, 'disks', { isFiltered: true }).join('\n')).toContain(byFilter);
  });

  test('the list of I/Os in flight says of which earlier moment it is', () => {
    const title = (moment: Partial<ListedInFlight>, isPrecise = false): string =>
      lines([READ_IN_FLIGHT], 90, moment, 'disks', { isPrecise })[0]!;
    expect(title(LATER, true)).toMatch(
      / 1 I\/O in flight at \d\d:00:03.250, the oldest for 12s on sda /,
    );
    expect(title(LONG_ONLY)).toMatch(/ 1 I\/O in flight at \d\d:00:03, the oldest /);
    expect(title(NOW)).toContain(' 1 I/O in flight, the oldest ');
    expect(lines([], 90, LONG_ONLY)[0]).toMatch(/ in flight at \d\d:00:03 /);
  });

  test('the list of I/Os in flight says in a layer of programs that it is not of that', () => {
    for (const moment of [NOW, LATER, LONG_ONLY]) {
      const footer = (layer: Layer): string => lines([READ_IN_FLIGHT], 100, moment, layer).at(-1)!;
      expect(footer('calls')).toContain('I/O of devices; calls are known only once they end');
      expect(footer('waits')).toContain('I/O of devices; waits are known only once they end');
      expect(footer('volumes')).toBe(footer('disks'));
    }
  });

  test('the list of I/Os in flight says in 80 columns what Enter does, and what is not listed', () => {
    const footer = (layer: Layer, moment: Partial<ListedInFlight> = NOW): string =>
      lines([READ_IN_FLIGHT], 80, moment, layer).at(-1)!;
    const keys = '  Enter: only its process  Esc: close';
    expect(footer('disks')).toContain(`I/O waiting for a request is not listed${keys}`);
    expect(footer('disks', LONG_ONLY)).toContain(`only I/O in flight for 1s or longer${keys}`);
    expect(footer('disks', LATER)).toContain(`I/O known as counts is not listed${keys}`);
    expect(footer('calls')).toContain(`I/O of devices; calls are not known yet${keys}`);
  });

  test('the list of I/Os in flight shows which row is selected, the old ones too', () => {
    const selected = 1;
    const cells = shownCells(
      <InFlightList
        {...{ selected, clockBase, layer: 'disks', isPrecise: false, isFiltered: false }}
        listed={{ ...NOW, rows: [WRITE, READ_IN_FLIGHT] }}
        {...{ top: 0, width: 90, height: 6 }}
      />,
      90,
    );
    expect(textWithLook(cells, SELECTED)).toContain('12s');
    expect(textWithLook(cells, SELECTED)).toContain('mysqld');
    expect(textWithLook(cells, SELECTED)).not.toContain('(unknown)');
  });

  test('the list of I/Os in flight keeps age, stage and disk on a narrow screen', () => {
    const [, head, first] = lines([READ_IN_FLIGHT], 40);
    expect(head).toMatch(/▾AGE STAGE/);
    expect(first).toMatch(/12s at the device sda/);
  });

  test('the list of I/Os in flight shows an unknown owner faintly, and no names that a terminal could take as a command', () => {
    const rows = [{ ...WRITE, disk: 'evil\u001b[2J' }];
    const cells = shownCells(
      <InFlightList
        {...{ listed: { ...NOW, rows }, clockBase, isFiltered: false }}
        {...{ layer: 'disks', isPrecise: false, top: 0, width: 90, height: 6 }}
      />,
      90,
    );
    expect(textWithLook(cells, `fg ${QUIET_COLORS.unknown}`)).toContain('queued');
    expect(lines(rows).join('')).not.toContain('\u001b[2J');
  });
});
