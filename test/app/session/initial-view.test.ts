import { expect, it } from 'vitest';
import { initialView } from '../../../src/app/session/initial-view.ts';
import type { Settings } from '../../../src/view/settings.ts';

function shown(kept: Settings, said: Settings) {
  const { metric, layout, layer } = initialView({ view: said, at: undefined, speed: 1 }, kept);
  return { metric, layout, layer };
}

it('a metric of the command line is shown, whatever layout or layer was saved', () => {
  expect(shown({ layout: 'stacked' }, { metric: 'utilization' })).toEqual({
    metric: 'utilization',
    layout: 'single',
    layer: 'disks',
  });
  expect(shown({ layer: 'waits', layout: 'files' }, { metric: 'queue' })).toEqual({
    metric: 'queue',
    layout: 'files',
    layer: 'disks',
  });
  expect(shown({ layout: 'stacked' }, { metric: 'offset' }).layout).toBe('stacked');
});

it('a layout of the command line is shown, whatever metric was saved', () => {
  expect(shown({ metric: 'utilization' }, { layout: 'stacked' })).toEqual({
    metric: 'total',
    layout: 'stacked',
    layer: 'disks',
  });
});
