import { Attribute, DEFAULT_COLOR, TRUE_COLOR } from '../base/cell-block.ts';

const { bold, dim, italic, underline, inverse } = Attribute;

const COLON = 0x3a;
const SEMICOLON = 0x3b;
const ZERO = 0x30;

/** Colours and attributes that an SGR sequence changes. */
export interface SgrState {
  fg: number;
  bg: number;
  attr: number;
}

export function createSgrState(): SgrState {
  return { fg: DEFAULT_COLOR, bg: DEFAULT_COLOR, attr: 0 };
}

/** Parameters as in `4:3;38;5;9`; `isSub[i]` means that parameter i follows a colon. */
interface Params {
  readonly values: number[];
  readonly isSub: boolean[];
}

const ATTRIBUTE_ON = new Map([
  [1, bold],
  [2, dim],
  [3, italic],
  [7, inverse],
  [21, underline],
]);

const ATTRIBUTE_OFF = new Map([
  [22, bold | dim],
  [23, italic],
  [24, underline],
  [27, inverse],
]);

/** Applies the parameters text[from, to) of one SGR sequence; an empty list means reset. */
export function applySgr(state: SgrState, text: string, from: number, to: number): void {
  const params = readParams(text, from, to);
  let i = 0;
  while (i < params.values.length) i = applyOne(state, params, i);
}

function readParams(text: string, from: number, to: number): Params {
  const values = [0];
  const isSub = [false];
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code === SEMICOLON || code === COLON) {
      values.push(0);
      isSub.push(code === COLON);
    } else {
      values.push(values.pop()! * 10 + code - ZERO);
    }
  }
  return { values, isSub };
}

/** Returns the index of the next parameter. */
function applyOne(state: SgrState, params: Params, i: number): number {
  const code = params.values[i]!;
  const next = endOfGroup(params, i);
  if (code === 38 || code === 48) return applyExtended(state, params, i);
  if (code === 4) {
    const isOff = next > i + 1 && params.values[i + 1] === 0;
    state.attr = isOff ? state.attr & ~underline : state.attr | underline;
  } else if (code === 0) {
    Object.assign(state, createSgrState());
  } else {
    state.attr = (state.attr | (ATTRIBUTE_ON.get(code) ?? 0)) & ~(ATTRIBUTE_OFF.get(code) ?? 0);
    applyBasicColor(state, code);
  }
  return next;
}

/** The index after parameter `i` and its subparameters. */
function endOfGroup({ isSub }: Params, i: number): number {
  let end = i + 1;
  while (isSub[end] === true) end++;
  return end;
}

function applyBasicColor(state: SgrState, code: number): void {
  if (code >= 30 && code <= 37) state.fg = code - 30;
  else if (code >= 90 && code <= 97) state.fg = code - 90 + 8;
  else if (code >= 40 && code <= 47) state.bg = code - 40;
  else if (code >= 100 && code <= 107) state.bg = code - 100 + 8;
  else if (code === 39) state.fg = DEFAULT_COLOR;
  else if (code === 49) state.bg = DEFAULT_COLOR;
}

/** `38;5;n`, `38;2;r;g;b`, and with colons `38:5:n`, `38:2:r:g:b`, `38:2:space:r:g:b`. */
function applyExtended(state: SgrState, params: Params, i: number): number {
  const { values } = params;
  const isColon = params.isSub[i + 1] === true;
  const end = isColon ? endOfGroup(params, i) : i + (values[i + 1] === 2 ? 5 : 3);
  if (end <= values.length) {
    const color = extendedColor(values[i + 1]!, values.slice(i + 2, end));
    if (color !== undefined) {
      if (values[i] === 38) state.fg = color;
      else state.bg = color;
    }
  }
  return end;
}

function extendedColor(kind: number, parts: readonly number[]): number | undefined {
  if (kind === 5) return parts.length === 1 && parts[0]! <= 255 ? parts[0] : undefined;
  if (kind !== 2 || parts.length < 3) return undefined;
  const [red, green, blue] = parts.slice(-3) as [number, number, number];
  if (Math.max(red, green, blue) > 255) return undefined;
  return TRUE_COLOR | (red << 16) | (green << 8) | blue;
}
