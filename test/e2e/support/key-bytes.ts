import { Key } from '../pty.ts';

const NAMED: Readonly<Record<string, string>> = {
  space: ' ',
  tab: Key.tab,
  'shift+tab': '\x1b[Z',
  enter: Key.enter,
  escape: Key.escape,
  backspace: Key.backspace,
  delete: '\x1b[3~',
  insert: '\x1b[2~',
  up: Key.up,
  down: Key.down,
  left: Key.left,
  right: Key.right,
  home: Key.home,
  end: Key.end,
  pageup: Key.pageUp,
  pagedown: Key.pageDown,
  f1: '\x1bOP',
  f2: '\x1bOQ',
  f3: '\x1bOR',
  f4: '\x1bOS',
};

const MODIFIERS = ['shift', 'alt', 'ctrl'] as const;

/**
 * Escape, so that whatever is typed next does not count as a part of it and no time need pass: the
 * third ESC makes the first one a key, and the rest is a sequence without meaning.
 */
export const ESCAPE_AT_ONCE = '\x1b\x1b\x1b[99~';

/** What a keyboard sends for a key as the key table names it. */
export function keyBytes(key: string): string {
  const plain = NAMED[key] ?? (/^.$/u.test(key) ? key : undefined);
  if (plain !== undefined) return plain;
  const name = key.slice(key.lastIndexOf('+', key.length - 2) + 1);
  const modifiers = MODIFIERS.filter((modifier) => key.includes(`${modifier}+`));
  const bytes = modifiedKey(name, modifiers);
  if (bytes === undefined) throw new Error(`no keyboard is known to send "${key}"`);
  return bytes;
}

function modifiedKey(name: string, modifiers: readonly string[]): string | undefined {
  const base = NAMED[name] ?? name;
  if (modifiers.length === 1 && modifiers[0] === 'alt') return `\x1b${base}`;
  if (modifiers.length === 1 && modifiers[0] === 'ctrl' && /^[a-z]$/.test(name))
    return String.fromCharCode(name.charCodeAt(0) & 0x1f);
  const code = modifiers.reduce(
    (sum, modifier) => sum + { shift: 1, alt: 2, ctrl: 4 }[modifier]!,
    1,
  );
  const [, final] = /^\x1b\[([A-Z])$/.exec(base) ?? [];
  return final === undefined ? undefined : `\x1b[1;${code}${final}`;
}
