/** Values of `--format`: formats of rows, or of the picture. */
const ROW_FORMATS = ['csv', 'ndjson', 'parquet', 'biosnoop', 'trace2heatmap'] as const;
const PICTURE_FORMATS = ['text', 'svg', 'png', 'html'] as const;
export const FORMATS = [...ROW_FORMATS, ...PICTURE_FORMATS] as const;

export type RowFormat = (typeof ROW_FORMATS)[number];
export type PictureFormat = (typeof PICTURE_FORMATS)[number];
export type ExportFormat = (typeof FORMATS)[number];

export function isRowFormat(format: ExportFormat): format is RowFormat {
  return (ROW_FORMATS as readonly string[]).includes(format);
}

/** By format; the first one is suggested. Formats of pictures come first, as most people want one. */
export const EXTENSIONS: Readonly<Record<ExportFormat, readonly [string, ...string[]]>> = {
  png: ['png'],
  svg: ['svg'],
  html: ['html', 'htm'],
  text: ['txt'],
  csv: ['csv'],
  ndjson: ['ndjson', 'jsonl'],
  parquet: ['parquet'],
  biosnoop: ['biosnoop'],
  trace2heatmap: ['trace2heatmap'],
};

/** The format of a file by its extension; undefined if the extension is unknown. */
export function formatOfName(name: string): ExportFormat | undefined {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return FORMATS.find((format) => EXTENSIONS[format].includes(extension));
}

/** Whether a file of this format must not be written to a terminal. */
export function isBinary(format: ExportFormat): boolean {
  return format === 'parquet' || format === 'png';
}
