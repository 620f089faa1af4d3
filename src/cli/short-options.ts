/**
 * Letters for common options, as users of other tools know them: `-o` as in curl and perf, `-p` as in
 * strace and perf, `-w` as in tcpdump, `-n` as in watch. `-f` forces, as in perf, cp and mv, so that
 * `--filter` has no letter.
 */
const NAME_BY_LETTER: Readonly<Record<string, string>> = {
  d: 'disk',
  f: 'force',
  n: 'interval',
  o: 'output',
  p: 'pid',
  v: 'verbose',
  w: 'write',
};

/** The letter of an option. */
export function letterOf(name: string): string | undefined {
  return Object.keys(NAME_BY_LETTER).find((letter) => NAME_BY_LETTER[letter] === name);
}

/** `-o` as `--output`, and `-o=x` as `--output=x`; any other word unchanged. */
export function inFull(word: string): string {
  const [, letter = '', rest = ''] = /^-([a-z])(=[^]*)?$/.exec(word) ?? [];
  const name = NAME_BY_LETTER[letter];
  return name === undefined ? word : `--${name}${rest}`;
}
