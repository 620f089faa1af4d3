import { expect, test } from 'vitest';
import { appendRows, BYTES_PER_ROW, createColumns } from '../../src/model/completion-columns.ts';

function filled(length: number) {
  const columns = createColumns(length + 2);
  for (let row = 0; row < length; row++) {
    columns.completeNs[row] = row + 0.5;
    columns.deviceNs[row] = row === 1 ? NaN : row * 10;
    columns.queueNs[row] = row * 100;
    columns.sector[row] = 2 ** 40 + row;
    columns.bytes[row] = 2 ** 32 - 1 - row;
    columns.identity[row] = row;
  }
  columns.length = length;
  return columns;
}

test('appended rows follow the existing rows, in every column', () => {
  const target = filled(2);
  const source = filled(4);
  const joined = createColumns(5);
  appendRows(joined, target, 0, 2);
  appendRows(joined, source, 1, 4);
  expect(joined.length).toBe(5);
  expect([...joined.completeNs]).toEqual([0.5, 1.5, 1.5, 2.5, 3.5]);
  expect([...joined.deviceNs]).toEqual([0, NaN, NaN, 20, 30]);
  expect([...joined.queueNs]).toEqual([0, 100, 100, 200, 300]);
  expect([...joined.sector]).toEqual([0, 1, 1, 2, 3].map((row) => 2 ** 40 + row));
  expect([...joined.bytes]).toEqual([0, 1, 1, 2, 3].map((row) => 2 ** 32 - 1 - row));
  expect([...joined.identity]).toEqual([0, 1, 1, 2, 3]);
});

test('completion columns refuse rows beyond their capacity', () => {
  expect(() => {
    appendRows(createColumns(2), filled(3), 0, 3);
  }).toThrow(RangeError);
});

test('a row takes the bytes that budgets are calculated with', () => {
  const columns = createColumns(1);
  const bytes = Object.values(columns)
    .filter((column): column is Float64Array => typeof column === 'object')
    .reduce((sum, column) => sum + column.byteLength, 0);
  expect(bytes).toBe(BYTES_PER_ROW);
});
