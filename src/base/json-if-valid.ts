/** The value of a JSON text; undefined for text that is not JSON. */
export function jsonIfValid(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
