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
import { must } from '../../must.ts';

const folder = new RecordingFolder();
let recording = '';
let callsAlone = '';

beforeAll(async () => {
  recording = await folder.add('layers.ioheat', { name: 'layers', seconds: 3 });
  callsAlone = await folder.add('calls.ioheat', { name: 'layers', seconds: 3, layer: 'calls' });
});

afterAll(() => {
  folder.remove();
});

async function opened(
  filter: string,
  layer?: Layer,
  file: string = recording,
): Promise<TraceInput> {
  const request = { files: [file], oneHost: false, from: undefined, to: undefined };
  return must(await openInput({ ...request, filter: parsed(filter), layer }));
}

/** How many I/Os, waits and calls of the recording are selected. */
async function countOf(filter: string, layer?: Layer, file?: string): Promise<number> {
  const input = await opened(filter, layer, file);
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
    const { figure } = await readFigure(input, { ...request, historyBytes: 1 << 24 });
    input.reader.dispose();
    expect(figure.live).toBe(figure.maps.find(({ title }) => title === 'waits')!.live);
  });
});

describe('a filter on calls', () => {
  it('a filter on calls counts waits where waits were recorded, as on the screen', async () => {
    const count = await countOf('call=pread64');
    expect(count).toBeGreaterThan(0);
    expect(count).toBe(await countOf('call=pread64', 'waits'));
  });

  it('a filter on calls counts calls where only those were recorded', async () => {
    const count = await countOf('call=pread64', undefined, callsAlone);
    expect(count).toBeGreaterThan(0);
    expect(count).toBe(await countOf('call=pread64', 'calls'));
  });

  it('a filter on results counts calls, as only calls have one', async () => {
    const count = await countOf('ret=0');
    expect(count).toBeGreaterThan(0);
    expect(count).toBe(await countOf('ret=0', 'calls'));
  });

  it('a layer that is given wins over that of the filter', async () => {
    expect(await countOf('call=pread64', 'disks')).toBe(0);
    expect(await countOf('call=pread64 layer=disks,waits')).toBe(await countOf('call=pread64'));
  });
});
