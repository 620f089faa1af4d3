/** Options that every command has. They are in no option table: they are answered before options are checked. */
export const QUESTIONS = [
  { name: 'help', letter: 'h', description: 'print help' },
  { name: 'version', letter: 'V', description: 'print the version' },
] as const;

/** The question that an option asks as it was typed: `--help`, `-V`; undefined for other options. */
export function questionAsked(text: string): (typeof QUESTIONS)[number]['name'] | undefined {
  return QUESTIONS.find(({ name, letter }) => text === `--${name}` || text === `-${letter}`)?.name;
}
