import {
  INVENTED_MAJOR,
  inventDevice,
  MINORS,
  packDevice,
  UNKNOWN_DEVICE,
  unknownDeviceName,
} from '../../model/device.ts';
import type { DeviceInfo } from '../../model/device.ts';
import { keepName } from './log-text.ts';

/** Further disks share one name: a damaged log must not fill memory with disks. */
const DEVICE_CAPACITY = 4096;
const REST = '(other)';

/** The disks of a log, by the printed number or name. */
export class ImportDevices {
  private readonly byText = new Map<string, number>();
  private readonly known = new Map<number, DeviceInfo>();
  private list: readonly DeviceInfo[] = [];

  /** The number of a disk that a log has as `8,0`; undefined for a number that the kernel cannot give. */
  numbered(text: string): number | undefined {
    const before = this.byText.get(text);
    if (before !== undefined) return before;
    const [major = NaN, minor = NaN] = text.split(',').map(Number);
    const isPossible = major < INVENTED_MAJOR && minor < MINORS;
    return isPossible ? this.add(text, packDevice(major, minor)) : undefined;
  }

  /** The number of a disk that a log has as `sda`: an invented number, the same for the same name in every log. */
  named(text: string): number {
    return this.byText.get(text) ?? this.add(text, undefined);
  }

  /** The number for I/O whose disk is not in the log. */
  unnamed(): number {
    return UNKNOWN_DEVICE;
  }

  all(): readonly DeviceInfo[] {
    if (this.list.length !== this.known.size) this.list = [...this.known.values()];
    return this.list;
  }

  private add(printed: string, number: number | undefined): number {
    const text = keepName(printed);
    if (this.known.size >= DEVICE_CAPACITY && text !== REST) return this.named(REST);
    const dev = number ?? inventDevice(text, (one) => this.known.has(one));
    this.byText.set(text, dev);
    const name = number === undefined ? text : unknownDeviceName(dev);
    this.known.set(dev, { dev, name });
    return dev;
  }
}
