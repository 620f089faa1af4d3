import { Box, Text } from 'ink';
import { render as renderWithInk } from 'ink-testing-library';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import type { CellBlock } from '../../../src/base/cell-block.ts';
import { parseAnsi } from '../../../src/terminal/parse-ansi.ts';
import { createDialogHost } from '../../../src/ui/dialogs/dialog-host.tsx';
import type { DialogHost } from '../../../src/ui/dialogs/dialog-host.tsx';
import { DrillDown } from '../../../src/ui/dialogs/drill-down.tsx';
import { Help } from '../../../src/ui/dialogs/help.tsx';
import { pickEntries } from '../../../src/ui/dialogs/pick-entries.ts';
import { PickList } from '../../../src/ui/dialogs/pick-list.tsx';
import { Prompt } from '../../../src/ui/dialogs/prompt.tsx';
import { Styled } from '../../../src/ui/dialogs/styled.tsx';
import { KEY_TABLE } from '../../../src/view/keys/key-table.ts';
import { lineOf } from '../../../src/view/line-editor.ts';
import { glyphRows } from '../cell-text.ts';
import { ESTIMATED } from '../fixtures/box-report.ts';
import { CLOCK_BASE, STATE } from '../fixtures/chrome-state.ts';

const hosts: DialogHost[] = [];

function newHost(): DialogHost {
  const host = createDialogHost();
  hosts.push(host);
  return host;
}

function draw(element: ReactElement, width: number, height: number): CellBlock {
  return newHost().render(element, width, height);
}

function oneLine(text: string): ReactElement {
  return <Styled>{text}</Styled>;
}

afterEach(() => {
  for (const host of hosts.splice(0)) host.dispose();
});

const { report } = STATE;
const SHARED = { width: 80 };
const PICK = {
  what: 'process',
  opened: [],
  query: lineOf('s'),
  row: 1,
  chosen: ['892'],
  invert: true,
} as const;
const COMPONENTS: Record<string, ReactElement> = {
  PickList: (
    <PickList
      {...SHARED}
      height={8}
      pick={PICK}
      entries={pickEntries(PICK, report, 'disks')}
      layer="disks"
      isFiltered={false}
    />
  ),
  Prompt: (
    <Prompt
      {...SHARED}
      label="/"
      prompt={{ line: lineOf('disk=sda'), problem: { column: 0, message: 'wrong' } }}
      candidates={[{ text: 'disk', description: 'whole disk' }]}
      selected={0}
      hints={[]}
    />
  ),
  DrillDown: (
    <DrillDown
      {...SHARED}
      layer="disks"
      height={20}
      report={ESTIMATED}
      clockBase={CLOCK_BASE}
      top={0}
    />
  ),
  Help: <Help {...SHARED} height={20} top={0} bindings={KEY_TABLE} />,
};

describe('a dialog host', () => {
  it.each(Object.entries(COMPONENTS))(
    'the dialog host draws %s exactly as Ink would',
    (_, element) => {
      const { lastFrame, unmount } = renderWithInk(element);
      const frame = lastFrame() ?? '';
      const expected = parseAnsi(frame, 80, frame.split('\n').length);
      unmount();
      const host = newHost();
      for (let frame = 0; frame < 3; frame++)
        expect(host.render(element, 80, 20)).toEqual(expected);
    },
  );

  it('the dialog host draws the same whatever it drew before', () => {
    const host = newHost();
    const elements = Object.values(COMPONENTS);
    for (const before of elements) {
      for (const element of elements) {
        host.render(before, 80, 20);
        expect(host.render(element, 80, 20)).toEqual(draw(element, 80, 20));
      }
    }
  });

  it('the cells of a dialog are ready when the call returns', () => {
    const host = newHost();
    for (const text of ['first', 'second', 'third'])
      expect(glyphRows(host.render(oneLine(text), 20, 1))[0]?.trim()).toBe(text);
  });

  it('a dialog has as many lines as it needs, and no more than there is room for', () => {
    const lines = (
      <Box flexDirection="column">
        <Styled>one</Styled>
        <Styled>two</Styled>
      </Box>
    );
    expect(glyphRows(draw(lines, 4, 9))).toEqual(['one ', 'two ']);
    expect(glyphRows(draw(lines, 4, 1))).toEqual(['one ']);
  });

  it('a dialog is drawn at its new size after a resize', () => {
    const host = newHost();
    const right = (
      <Box justifyContent="flex-end">
        <Text>end</Text>
      </Box>
    );
    expect(glyphRows(host.render(right, 10, 1))).toEqual(['       end']);
    expect(glyphRows(host.render(right, 6, 2))).toEqual(['   end']);
    expect(glyphRows(host.render(right, 12, 1))).toEqual(['         end']);
  });

  it('a dialog shows changes made by effects', () => {
    function Counting(): ReactElement {
      const [count, setCount] = useState(0);
      useEffect(() => {
        setCount(7);
      }, []);
      return oneLine(`count ${count}`);
    }
    const host = newHost();
    host.render(<Counting />, 10, 1);
    expect(glyphRows(host.render(<Counting />, 10, 1))).toEqual(['count 7   ']);
  });

  it('the dialog host throws what a component throws', () => {
    function Broken(): ReactElement {
      throw new Error('broken component');
    }
    expect(() => draw(<Broken />, 10, 1)).toThrow('broken component');
  });

  it('the dialog host leaves no listener on the process', () => {
    const hooks = (): unknown[] => [
      process.eventNames().map((name) => [name, process.rawListeners(String(name))]),
      ...['emit', 'reallyExit', 'exitCode'].map((key) => Reflect.get(process, key) as unknown),
    ];
    const before = hooks();
    const host = newHost();
    host.render(oneLine('x'), 10, 1);
    expect(hooks()).toEqual(before);
    host.dispose();
    expect(hooks()).toEqual(before);
  });

  it('the dialog host refuses to draw after it was disposed', () => {
    const host = newHost();
    host.dispose();
    expect(() => host.render(oneLine('x'), 10, 1)).toThrow('disposed');
  });
});
