import { createParquetEncoder } from '../../../src/export/rows/parquet.ts';
import { callFlags } from '../../../src/model/call.ts';
import type { Call } from '../../../src/model/call.ts';
import { namedFile } from '../../../src/model/named-file.ts';
import type { FileFacts } from '../../../src/model/file.ts';
import { parseOpenFlags } from '../../../src/model/open-flags.ts';
import { contextOf, encodeAll, pickerOf } from '../../export/fixtures.ts';
import { keyOf } from '../../history/fixtures.ts';

/** A call of a made-up trace, in the order of time. */
export interface MadeCall {
  readonly comm: string;
  readonly call: Call;
  readonly file: FileFacts;
  readonly offset?: number;
  readonly result: number;
  readonly flags?: string;
}

function fileAt(inode: number, path: string): FileFacts {
  return { kind: 'file', dev: 8 << 20, inode, generation: 7, path };
}

/** Calls as `ioheat export --layer calls --output calls.parquet` writes them. */
export function parquetOf(calls: readonly MadeCall[]): Buffer {
  const keys = calls.map(({ comm, call, flags = '' }) =>
    keyOf({ layer: 'calls', comm, cmdFlags: callFlags(call) | parseOpenFlags(flags) }),
  );
  const context = contextOf(keys);
  const { identities } = context;
  const rows = calls.map(({ file, offset = NaN, result }, i) => ({
    ...{ completeNs: (i + 1) * 1e6, deviceNs: 1000, queueNs: 0, sector: NaN, bytes: 0 },
    ...{ key: identities.intern(keys[i]!), file: identities.files.intern(file) },
    ...{ fileOffset: offset, result },
  }));
  return encodeAll(createParquetEncoder(context), rows, pickerOf(context));
}

const LOG = fileAt(12, '/srv/log/app.log');
const SPOOL = fileAt(13, '/srv/spool');
const SHORT = fileAt(14, '/srv/log/my-app.log');

/** Two files are read at stale offsets; the third is another one, although its name ends the same. */
export const STALE_CALLS: readonly MadeCall[] = [
  { comm: 'app', call: 'write', file: LOG, offset: 0, result: 26 },
  { comm: 'app', call: 'write', file: SHORT, offset: 0, result: 30 },
  { comm: 'tail', call: 'read', file: LOG, offset: 0, result: 26 },
  { comm: 'cron', call: 'truncate', file: namedFile('app.log'), result: 0 },
  { comm: 'app', call: 'write', file: LOG, offset: 0, result: 16 },
  { comm: 'tail', call: 'read', file: LOG, offset: 26, result: 0 },
  { comm: 'tail', call: 'read', file: SHORT, offset: 30, result: 0 },
  { comm: 'app', call: 'write', file: SPOOL, offset: 0, result: 100 },
  { comm: 'cron', call: 'truncate', file: namedFile('/srv/spool'), result: -13 },
  { comm: 'mail', call: 'pread64', file: SPOOL, offset: 90, result: 10 },
  { comm: 'app', call: 'openat', file: SPOOL, result: 3, flags: 'O_WRONLY|O_TRUNC' },
  { comm: 'app', call: 'write', file: SPOOL, offset: 0, result: 10 },
  { comm: 'mail', call: 'pread64', file: SPOOL, offset: 90, result: 0 },
];
