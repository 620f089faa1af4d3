/** Checked words by option or positional: `true` for a flag, several for a list, else the last. */
export type RawOptions = Readonly<Record<string, string | true | readonly string[] | undefined>>;

export function text(raw: RawOptions, name: string): string | undefined {
  const value = raw[name];
  return typeof value === 'string' ? value : undefined;
}

export function list(raw: RawOptions, name: string): readonly string[] {
  const value = raw[name];
  return typeof value === 'object' ? value : [];
}
