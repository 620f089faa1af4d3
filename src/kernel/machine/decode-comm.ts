const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes a command name (comm). The kernel truncates it to 15 bytes, so an incomplete last character is removed. If
 * the bytes are not UTF-8, those from 0x80 become the characters U+0080 to U+00FF.
 */
export function decodeComm(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  const name = end < 0 ? bytes : bytes.subarray(0, end);
  for (let cut = 0; cut <= 3 && cut <= name.length; cut++) {
    if (cut > 0 && (name[name.length - cut]! & 0x80) === 0) break;
    const text = tryUtf8(name.subarray(0, name.length - cut));
    if (text !== undefined) return text;
  }
  return Buffer.from(name).toString('latin1');
}

/** Undefined if the bytes are not UTF-8. */
export function tryUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    if (cause instanceof TypeError) return undefined;
    throw cause;
  }
}
