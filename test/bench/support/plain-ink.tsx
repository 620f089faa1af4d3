import { Box, render, Text } from 'ink';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';

/**
 * What drawing the picture with Ink alone costs: a heat map of half-blocks as text, one new column ten
 * times a second, at the size of the terminal.
 */
const FRAME_MS = 100;
const { columns, rows } = process.stdout;

function valueAt(column: number, row: number): number {
  const mixed = Math.sin(column * 12.9898 + row * 78.233) * 43_758.5453;
  return Math.floor((mixed - Math.floor(mixed)) * 216) + 16;
}

function Picture(): ReactElement {
  const [first, setFirst] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      setFirst((column) => column + 1);
    }, FRAME_MS);
    return () => {
      clearInterval(timer);
    };
  }, []);
  const lines = Array.from({ length: rows - 1 }, (_, row) => (
    <Text key={row}>
      {Array.from({ length: columns }, (_, x) => (
        <Text
          key={x}
          color={`ansi256(${valueAt(first + x, row * 2)})`}
          backgroundColor={`ansi256(${valueAt(first + x, row * 2 + 1)})`}
        >
          ▀
        </Text>
      ))}
    </Text>
  ));
  return <Box flexDirection="column">{lines}</Box>;
}

render(<Picture />);
