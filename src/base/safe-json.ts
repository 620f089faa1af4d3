/**
 * Characters that JSON may contain unescaped but terminals interpret: DEL, C1, and those that hide text or change
 * its direction.
 */
const HARMFUL = /[\x7f-\x9f\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;

/** As `JSON.stringify`, but escapes everything that a terminal interprets; parses to the same value. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(HARMFUL, escaped);
}

function escaped(character: string): string {
  const units = character.split('');
  return units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}
