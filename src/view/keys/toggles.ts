import { term } from '../../filter/filter.ts';
import type { Term } from '../../filter/filter.ts';

/** One key of the menu of kinds of I/O, with its filter term. */
export interface Toggle {
  readonly key: string;
  /** Ever shorter forms of the same word. The last one starts with the key. */
  readonly names: readonly [string, string, string];
  readonly asks: Term;
}

export const TOGGLES: readonly Toggle[] = [
  { key: 'r', names: ['read', 'read', 'rd'], asks: term('op', '=', 'read') },
  { key: 'w', names: ['write', 'write', 'wr'], asks: term('op', '=', 'write') },
  { key: 'f', names: ['flush', 'flush', 'flush'], asks: term('op', '=', 'flush') },
  { key: 'd', names: ['discard', 'discard', 'disc'], asks: term('op', '=', 'discard') },
  { key: 's', names: ['sync', 'sync', 'sync'], asks: term('flag', '=', 'sync') },
  { key: 'm', names: ['metadata', 'meta', 'meta'], asks: term('flag', '=', 'meta') },
  { key: 'a', names: ['read-ahead', 'ahead', 'ahead'], asks: term('flag', '=', 'readahead') },
  { key: 'e', names: ['errors', 'errors', 'err'], asks: term('error', '=', 'any') },
];
