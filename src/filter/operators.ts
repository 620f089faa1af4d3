/** `~` searches for a part of the text, or matches all of it if the pattern has `*` or `?`. */
export const OPERATORS = ['=', '!=', '~', '!~', '<', '<=', '>', '>='] as const;
export type Operator = (typeof OPERATORS)[number];
