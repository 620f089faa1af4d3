import { describe, expect, test } from 'vitest';
import type { Layer } from '../../../src/model/layer.ts';
import type { SingleIo } from '../../../src/query/slowest/single-io.ts';
import { singlesWindow } from '../../../src/ui/dialogs/list-window.ts';
import { SingleList } from '../../../src/ui/dialogs/single-list.tsx';
import { shownLines } from '../fixtures/shown-dialog.tsx';

const CLOCK = { monotonicNs: 0n, wallNs: 1_769_869_331_000_000_000n };

const READ: SingleIo = {
  completeNs: 1.234e9,
  tgid: 892,
  tid: 893,
  comm: 'shipper',
  cgroup: undefined,
  cgroupName: undefined,
  indirect: false,
  dev: 1,
  disk: 'sda',
  opClass: 'read',
  call: 'read',
  flags: '',
  sector: undefined,
  bytes: 0,
  queueNs: undefined,
  deviceNs: undefined,
  totalNs: 1200,
  error: undefined,
  file: '/var/log/app.log',
  hasOtherFiles: false,
  fileOffset: 26,
  result: 0,
  inode: 12,
  generation: 7,
  firstSeenNs: 0.25e9,
};
const OPEN: SingleIo = {
  ...READ,
  opClass: 'other',
  call: 'openat',
  error: 'ENOENT',
  result: -2,
  file: 'app.log',
  fileOffset: undefined,
  inode: undefined,
  generation: undefined,
  firstSeenNs: undefined,
};

function lines(
  ios: readonly SingleIo[],
  width: number,
  isAll = true,
  back?: number,
  layer: Layer = 'calls',
): string {
  const height = 5;
  const view = { singlesBack: back, singlesLine: undefined };
  const { top, selected } = singlesWindow(view, ios.length, height);
  const list = (
    <SingleList
      latest={{ ios, isAll, endNs: 2e9 }}
      layer={layer}
      clockBase={CLOCK}
      {...{ top, selected, width, height }}
    />
  );
  return shownLines(list, width).join('\n');
}

describe('the list of single calls', () => {
  test('the name of a call is whole, at the price of the numbers that identify its file', () => {
    const shown = lines([{ ...READ, call: 'fdatasync' }], 110);
    expect(shown).toMatch(/ fdatasync /);
    expect(shown).not.toContain('GENERATION');
  });

  test('the list of single calls has who called what on which file, where, with which result, and which file that was', () => {
    const shown = lines([OPEN, READ], 170);
    const [, head = '', open = '', read = ''] = shown.split('\n');
    expect(head).toMatch(
      /TIME +TID +COMM +CALL +FILE +OFFSET +SIZE +RESULT +TOTAL +INODE +GENERATION +FIRST SEEN +DISK/,
    );
    expect(open).toMatch(/!.*893 +shipper +openat +app\.log +- .*ENOENT .* - +- +- +sda/);
    expect(read).toMatch(
      /893 +shipper +read +\/var\/log\/app\.log +26 .* 0 .* 12 +7 +..:..:11\.250 +sda/,
    );
  });

  test('the list of single calls keeps time, call, file, result and how long it took where there is little room', () => {
    expect(lines([READ], 80)).toMatch(/TIME .*CALL .*FILE .*OFFSET .*RESULT .*TOTAL/);
    expect(lines([READ], 60)).toMatch(/TIME .*CALL .*FILE .*RESULT .*TOTAL/);
  });

  test('the list of single calls has whole calls, the end of paths and the disk before what tells files of one name apart', () => {
    const sync: SingleIo = {
      ...READ,
      call: 'fdatasync',
      file: '/srv/orders/2026/orders.db-journal',
    };
    const [, head = '', row = ''] = lines([sync], 120, true, undefined, 'waits').split('\n');
    expect(head).toMatch(/CALL +FILE .*TOTAL .*DISK/);
    expect(head).not.toContain('GENERATION');
    expect(row).toMatch(/ fdatasync +\S*\/2026\/orders\.db-journal .* sda/);
  });

  test('the list of single calls shows the last at first, and says that there are more', () => {
    const many = Array.from({ length: 9 }, (_, i) => ({ ...READ, fileOffset: 1000 + i }));
    const shown = lines(many, 100, false);
    expect(shown).toContain('the last 9 calls in time order');
    expect(shown).toContain('1008');
    expect(shown).not.toContain('1000 ');
  });

  test('the list of single calls marks the chosen row, counted from the last one, and shows it', () => {
    const many = Array.from({ length: 9 }, (_, i) => ({ ...READ, fileOffset: 1000 + i }));
    expect(lines(many, 100, true, 0)).toMatch(/▸.* 1008 /);
    expect(lines(many, 100, true, 8)).toMatch(/▸.* 1000 /);
    expect(lines(many, 100)).not.toContain('▸');
  });
});

test('an I/O of a file has size, device time and file on 80 columns', () => {
  const io: SingleIo = { ...READ, sector: 2048, bytes: 4096, queueNs: 3e3, deviceNs: 60e3 };
  const file = '/var/lib/postgresql/16/main/base/16384/24601';
  const narrow = lines([{ ...io, totalNs: 63e3, file }], 80, true, undefined, 'disks').split('\n');
  expect(narrow[1]).toMatch(/TIME +COMM +DISK +OP +SIZE DEVICE +TOTAL FILE/);
  expect(narrow[2]).toMatch(/shipper +sda +read +4K +60µs +63µs ….*24601 *│/);
  const wide = lines([{ ...io, file }], 100, true, undefined, 'disks');
  expect(wide).toMatch(/PID COMM .*SIZE +QUEUE DEVICE +TOTAL FILE/);
});

describe('columns without any value', () => {
  const NO_VALUES = { ...READ, call: undefined, file: undefined, fileOffset: undefined };
  const headings = (ios: readonly SingleIo[]): string =>
    lines(ios, 140, true, undefined, 'disks').split('\n')[1]!;

  test('a log with total latencies alone has no columns for what it does not contain', () => {
    const io: SingleIo = { ...NO_VALUES, opClass: 'other' };
    expect(headings([io, io])).toMatch(/^│ TIME +PID +COMM +DISK +OP +TOTAL +│$/);
  });

  test('a value of one I/O is enough for its column', () => {
    const known: SingleIo = { ...NO_VALUES, sector: 8, bytes: 4096, queueNs: 0, deviceNs: 1200 };
    expect(headings([NO_VALUES, known])).toMatch(/ SECTOR +SIZE +QUEUE +DEVICE +TOTAL /);
  });

  test('an empty list has the headings of an ordinary one', () => {
    expect(headings([])).toMatch(
      /^│ TIME +PID +COMM +DISK +OP +SECTOR +SIZE +QUEUE +DEVICE +TOTAL +│$/,
    );
  });
});
