import { parseCallText } from '../../../model/call.ts';
import { inventDevice, parseDeviceNumber, UNKNOWN_DEVICE } from '../../../model/device.ts';
import type { DeviceInfo } from '../../../model/device.ts';
import { IdentityMark } from '../../../model/identity.ts';
import type { IdentityTable } from '../../../model/identity-table.ts';
import { DEFAULT_LAYER, LAYERS } from '../../../model/layer.ts';
import type { Layer } from '../../../model/layer.ts';
import { parseOpenFlags } from '../../../model/open-flags.ts';
import { Op, OP_UNKNOWN } from '../../../model/operation.ts';
import { REQUEST_FLAGS } from '../../../model/request-text.ts';
import { MAX_NAME } from '../format/format.ts';
import type { Cells } from './row-cells.ts';

const OPS = new Map<string, number>(
  Object.entries(Op).map(([name, op]) => [
    name.replace(/[A-Z]/, (capital) => ` ${capital.toLowerCase()}`),
    op,
  ]),
);
const MOST_DEVICES = 4096;

/** Interns identities from the values of the columns; disks get invented numbers, by their names. */
export class CellIdentities {
  devices: readonly DeviceInfo[] = [];
  private readonly numbers = new Map<string, number>();

  constructor(private readonly identities: IdentityTable) {}

  indexOf(cells: Cells, row: number, marks: number): number {
    const [pid, tid] = [cells.pid(row), cells.tid(row)];
    const [comm, flags, error] = [cells.comm(row), cells.flags(row), cells.error(row)];
    const isOwned = pid !== undefined || tid !== undefined || comm !== undefined;
    const { ownerUnknown, processUnknown, flagsUnknown, errorUnknown, sizeUnknown } = IdentityMark;
    const unknown =
      (isOwned ? (pid === undefined ? processUnknown : 0) : ownerUnknown) |
      (flags === undefined ? flagsUnknown : 0) |
      (error === undefined ? errorUnknown : 0) |
      (cells.bytes(row) === undefined ? sizeUnknown : 0);
    const op = cells.op(row);
    const callFlags = parseCallText(op ?? '');
    return this.identities.intern({
      dev: this.deviceOf(cells.device(row)),
      cmdFlags:
        callFlags === undefined
          ? opOf(op) | flagsOf(flags ?? '')
          : (callFlags | parseOpenFlags(flags ?? '') | flagsOf(flags ?? '')) >>> 0,
      tgid: pid ?? tid ?? 0,
      tid: tid ?? pid ?? 0,
      comm: (comm ?? '').slice(0, MAX_NAME),
      cgroup: 0,
      error: error === undefined ? 0 : -Math.abs(error),
      marks: marks | unknown,
      layer: otherLayer(cells.layer(row)),
    });
  }

  private deviceOf(name: string | undefined): number {
    if (name === undefined) return UNKNOWN_DEVICE;
    const known = this.numbers.get(name);
    if (known !== undefined) return known;
    if (this.devices.length >= MOST_DEVICES) return UNKNOWN_DEVICE;
    const isTaken = (number: number): boolean => this.devices.some(({ dev }) => dev === number);
    const dev = parseDeviceNumber(name) ?? inventDevice(name, isTaken);
    this.numbers.set(name, dev);
    this.devices = [...this.devices, { dev, name: name.slice(0, MAX_NAME) }];
    return dev;
  }
}

/** Undefined for the layer `disks`, and for layers that this version does not know. */
function otherLayer(text: string | undefined): Layer | undefined {
  return text === DEFAULT_LAYER ? undefined : LAYERS.find((layer) => layer === text);
}

function opOf(text: string | undefined): number {
  if (text === undefined) return OP_UNKNOWN;
  return OPS.get(text) ?? Number(/^op (\d{1,3})$/.exec(text)?.[1] ?? OP_UNKNOWN);
}

/** Early recordings have `readAhead`. */
function flagsOf(text: string): number {
  const names = new Set(text.toLowerCase().split(' '));
  return REQUEST_FLAGS.reduce((all, [name, bit]) => (names.has(name) ? all | bit : all), 0);
}
