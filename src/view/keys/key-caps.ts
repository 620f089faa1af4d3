const KEY_NAMES: Readonly<Record<string, string>> = {
  pagedown: 'PgDn',
  pageup: 'PgUp',
  escape: 'Esc',
};

/** Names keys like the key caps do: `Space`, `PgDn`, `Ctrl-C`. Letters stay as they are typed. */
export function keysText(keys: readonly string[]): string {
  return keys.map(keyCap).join(' ');
}

/** Names one key: `g`, `Ctrl-C`, `Ctrl-Alt-Up`. */
export function keyCap(key: string): string {
  if (key.length === 1) return key;
  return key
    .split(/\+(?=.)/)
    .map(capOf)
    .join('-');
}

function capOf(name: string): string {
  return KEY_NAMES[name] ?? `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}
