import { Box, Text } from 'ink';
import { render as renderWithInk } from 'ink-testing-library';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import type { CellBlock } from '../../../src/base/cell-block.ts';
import { parseAnsi } from '../../../src/terminal/parse-ansi.ts';
import { createDialogHost } from '../../../src/ui/dialogs/dialog-host.tsx';
import type { DialogHost } from '../../../src/ui/dialogs/dialog-host.tsx';
import { DialogLine } from '../../../src/ui/dialogs/dialog-lines.tsx';
import { DrillDown } from '../../../src/ui/dialogs/drill-down.tsx';
import { Help } from '../../../src/ui/dialogs/help.tsx';
import { pickEntries } from '../../../src/ui/pick-entries.ts';
import { PickList } from '../../../src/ui/dialogs/pick-list.tsx';
import { PromptLine } from '../../../src/ui/dialogs/prompt-line.tsx';
import { span } from '../../../src/ui/span.ts';
import type { Line } from '../../../src/ui/span.ts';
import { createTheme } from '../../../src/ui/theme.ts';
import { KEY_TABLE } from '../../../src/view/keys/key-table.ts';
import { lineOf } from '../../../src/view/line-editor.ts';
import { glyphRows } from '../cell-text.ts';
import { ESTIMATED } from '../fixtures/box-report.ts';
import { CLOCK_BASE, STATE } from '../fixtures/chrome-state.ts';

const THEME = createTheme(2);
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
  return <DialogLine line={[span(text)]} theme={THEME} />;
}

afterEach(() => {
  for (const host of hosts.splice(0)) host.dispose();
});

const { report } = STATE;
const SHARED = { theme: THEME, width: 80 };
const PICK = {
  what: 'process',
  query: lineOf('s'),
  row: 1,
  chosen: ['892'],
  invert: true,
} as const;
const COMPONENTS: Record<string, ReactElement> = {
  PickList: <PickList {...SHARED} height={8} pick={PICK} entries={pickEntries(PICK, report)} />,
  PromptLine: (
    <PromptLine
      {...SHARED}
      label="/"
      prompt={{ line: lineOf('disk=sda'), problem: { column: 0, message: 'wrong' } }}
      candidates={[{ text: 'disk', description: 'whole disk' }]}
      selected={0}
      hints={[]}
    />
  ),
  DrillDown: (
    <DrillDown {...SHARED} height={20} report={ESTIMATED} clockBase={CLOCK_BASE} top={0} />
  ),
  Help: <Help {...SHARED} height={20} top={0} bindings={KEY_TABLE} />,
};

describe('a dialog host', () => {
  it.each(Object.entries(COMPONENTS))('draws %s exactly as Ink would', (_, element) => {
    const { lastFrame, unmount } = renderWithInk(element);
    const expected = parseAnsi(lastFrame() ?? '', 80, 20);
    unmount();
    const host = newHost();
    for (let frame = 0; frame < 3; frame++) expect(host.render(element, 80, 20)).toEqual(expected);
  });

  it('draws each strip the same whatever it drew before', () => {
    const host = newHost();
    const elements = Object.values(COMPONENTS);
    for (const before of elements) {
      for (const element of elements) {
        host.render(before, 80, 20);
        expect(host.render(element, 80, 20)).toEqual(draw(element, 80, 20));
      }
    }
  });

  it('has the cells before the call returns', () => {
    const host = newHost();
    for (const text of ['first', 'second', 'third'])
      expect(glyphRows(host.render(oneLine(text), 20, 1))[0]?.trim()).toBe(text);
  });

  it('puts ordinary text and whole lines side by side', () => {
    const line: Line = [span('whole', 'strong'), span(' line')];
    const element = (
      <Box>
        <Text>before </Text>
        <Box width={12}>
          <DialogLine line={line} theme={THEME} />
        </Box>
        <Text>after</Text>
      </Box>
    );
    expect(glyphRows(draw(element, 30, 1))).toEqual(['before whole line  after      ']);
  });

  it('draws at its new size after a resize', () => {
    const host = newHost();
    const right = (
      <Box justifyContent="flex-end">
        <Text>end</Text>
      </Box>
    );
    expect(glyphRows(host.render(right, 10, 1))).toEqual(['       end']);
    expect(glyphRows(host.render(right, 6, 2))).toEqual(['   end', '      ']);
    expect(glyphRows(host.render(right, 12, 1))).toEqual(['         end']);
  });

  it('draws what effects changed as well', () => {
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

  it('throws what a component throws', () => {
    function Broken(): ReactElement {
      throw new Error('broken component');
    }
    expect(() => draw(<Broken />, 10, 1)).toThrow('broken component');
  });

  it('hangs nothing on the process', () => {
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

  it('refuses to draw when it is disposed', () => {
    const host = newHost();
    host.dispose();
    expect(() => host.render(oneLine('x'), 10, 1)).toThrow('disposed');
  });
});
