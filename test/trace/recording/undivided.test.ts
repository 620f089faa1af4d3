import { expect, it } from 'vitest';
import { createColumns } from '../../../src/model/completion-columns.ts';
import { bytesOf, encoderFor, HEADER, pattern, readerOf, readRows } from './fixtures/record.ts';

it('a recording of total latencies alone, by an earlier version, has them as total latencies', async () => {
  const { source } = pattern('mixed');
  const key = source.info.identities.intern({
    ...{ dev: 1, cmdFlags: 0, tgid: 1, tid: 1, comm: 'dd', cgroup: 0, error: 0, marks: 0 },
  });
  const rows = createColumns(1);
  rows.length = 1;
  rows.identity[0] = key;
  rows.deviceNs[0] = 5e6;
  rows.queueNs[0] = NaN;
  const read = async (header: typeof HEADER): Promise<number> => {
    const encoder = encoderFor(source, header);
    const begin = encoder.begin();
    const body = await bytesOf([...encoder.append(rows), ...encoder.flush(undefined)]);
    const back = readRows(readerOf(Buffer.concat([begin, body])));
    return back.deviceNs[0]! + back.queueNs[0]!;
  };
  expect(await read(HEADER)).toBeNaN();
  expect(await read({ ...HEADER, latency: 'total' })).toBe(5e6);
});
