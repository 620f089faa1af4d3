import type { Identity } from '../../../model/identity.ts';
import { LAYERS } from '../../../model/layer.ts';
import type { Layer } from '../../../model/layer.ts';
import { DamagedError } from '../arrow/flat-reader.ts';
import { MAX_DEV, MAX_NAME } from './format.ts';
import { asArray, asInteger, asText } from './json-values.ts';

/** An identity as JSON, without what older versions do not read: see `vias` in the notes of a batch. */
export function keyJson(key: Identity): unknown {
  const { dev, cmdFlags, tgid, tid, cgroup, error, marks, comm } = key;
  return [dev, cmdFlags, tgid, tid, cgroup, error, marks & KEY_MARKS, comm.slice(0, MAX_NAME)];
}

/** Older versions read these marks only. */
const KEY_MARKS = 255;

/** Reverses `keyJson`; throws a `DamagedError` for anything else. */
export function parseKey(value: unknown): Identity {
  const [dev, cmdFlags, tgid, tid, cgroup, error, marks, comm] = asArray(value, 8);
  return {
    dev: asInteger(dev, 0, MAX_DEV),
    cmdFlags: asInteger(cmdFlags, -(2 ** 31), 2 ** 32 - 1),
    tgid: asInteger(tgid, 0, 2 ** 32 - 1),
    tid: asInteger(tid, 0, 2 ** 32 - 1),
    cgroup: asInteger(cgroup, 0, Number.MAX_SAFE_INTEGER),
    error: asInteger(error, -(2 ** 15), 2 ** 15),
    marks: asInteger(marks, 0, KEY_MARKS),
    comm: asText(comm, MAX_NAME),
  };
}

/** The layer of an identity; version 1 has only the layer `disks`. */
export function asLayer(value: unknown): Layer {
  const layer = LAYERS.find((one) => one === value);
  if (layer === undefined) throw new DamagedError('an unknown layer');
  return layer;
}
