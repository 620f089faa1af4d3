import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openInput } from '../../../src/app/open/trace-input.ts';
import type { TraceInput } from '../../../src/app/open/trace-input.ts';
import { readFigure } from '../../../src/app/run/export-picture.ts';
import { RowPicker } from '../../../src/export/rows/row-picker.ts';
import { readTrace } from '../../../src/export/trace/read-trace.ts';
import { formatFilter } from '../../../src/filter/language/format.ts';
import type { Layer } from '../../../src/model/layer.ts';
import { parsed } from '../../filter/fixtures.ts';
import { RecordingFolder } from '../../trace/replay/recording-file.ts';

const folder = new RecordingFolder();
let recording = '';

beforeAll(async () => {
  recording = await folder.add('layers.ioheat', { name: 'layers', seconds: 3 });
});

afterAll(() => {
  folder.remove();
});

async function opened(filter: string, layer?: Layer): Promise<TraceInput> {
  const request = { files: [recording], oneHost: false, from: undefined, to: undefined };
  const input = await openInput({ ...request, filter: parsed(filter), layer });
  if (!input.ok) throw new Error(input.error.what);
  return input.value;
}

/** How many I/Os, waits and calls of the recording are selected. */
async function countOf(filter: string, layer?: Layer): Promise<number> {
  const input = await opened(filter, layer);
  const picker = new RowPicker({ filter: input.filter, ...input.range });
  const rows = (block: Parameters<typeof picker.pick>[0]): void => void picker.pick(block);
  await readTrace(input.reader, { rows }, () => Promise.resolve());
  input.reader.dispose();
  return picker.count;
}

describe('a filter on one layer', () => {
  it.each(['disks', 'volumes', 'waits', 'calls'] as const)(
    'a filter on %s is the same as the option',
    async (layer) => {
      const input = await opened(`layer=${layer} size>0`);
      expect(input.filter.layer).toBe(layer);
      expect(formatFilter(input.filter.filter)).toBe('size>0');
      input.reader.dispose();
      const count = await countOf('', layer);
      expect(count).toBeGreaterThan(0);
      expect(await countOf(`layer=${layer}`)).toBe(count);
    },
  );

  it('a filter on several layers has all of them', async () => {
    const [disks, waits] = [await countOf('layer=disks'), await countOf('layer=waits')];
    expect(await countOf('layer=disks,waits')).toBe(disks + waits);
  });

  it('a filter on one layer makes its map the one that the figures of a picture are of', async () => {
    const input = await opened('layer=waits');
    const request = { format: 'svg', view: { layout: 'layers' }, columns: 60, rows: 20 } as const;
    const figure = await readFigure(input, { ...request, historyBytes: 1 << 24 });
    input.reader.dispose();
    expect(figure.live).toBe(figure.maps.find(({ title }) => title === 'waits')!.live);
  });
});
