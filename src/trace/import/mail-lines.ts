/*
 * Undoes what mail programs and tickets do to a log: quoting by `> `, wrapping at 72 to 78 columns, and
 * quoted-printable encoding (RFC 2045) with lines that end in `=`. Only if more lines are readable then.
 */

/** Takes lines and returns lines; some wait until it is clear whether the next line belongs to them. */
export interface LineMender {
  push(line: string): readonly string[];
  /** Lines that were still waiting. */
  end(): readonly string[];
}

type IsEvent = (line: string) => boolean;

export interface Mending {
  /** Whether it joins wrapped lines. */
  readonly isWrapped: boolean;
  readonly isEncoded: boolean;
  create(isEvent: IsEvent): LineMender;
}

/** What mail does to lines, the simplest first: encoding, then quoting, then wrapping. */
export const MENDINGS: readonly Mending[] = [false, true].flatMap((isEncoded) =>
  [false, true].flatMap((isWrapped) =>
    [false, true].map((isQuoted) => ({
      isWrapped,
      isEncoded,
      create: (isEvent: IsEvent) =>
        chain([
          ...(isEncoded ? [new SoftBreaks()] : []),
          ...(isQuoted ? [eachLine(unquoted)] : []),
          ...(isWrapped ? [new Unwrapper(isEvent)] : []),
        ]),
    })),
  ),
);

/** All lines of a complete text. */
export function mended(lines: readonly string[], mender: LineMender): string[] {
  return [...lines.flatMap((line) => mender.push(line)), ...mender.end()];
}

function eachLine(change: (line: string) => string): LineMender {
  return { push: (line) => [change(line)], end: () => [] };
}

/** Applies several menders in order. */
function chain(menders: readonly LineMender[]): LineMender {
  const through = (lines: readonly string[], from: number): readonly string[] =>
    menders.slice(from).reduce((all, one) => all.flatMap((line) => one.push(line)), lines);
  return {
    push: (line) => through([line], 0),
    end: () => menders.flatMap((one, i) => through(one.end(), i + 1)),
  };
}

/** Removes `> ` at any depth; further spaces belong to the line. */
function unquoted(line: string): string {
  return line.replace(/^(?:> ?)+/, '');
}

/** No line of a log is longer; a longer one is not joined. */
const LONGEST = 1 << 12;

class SoftBreaks implements LineMender {
  private before = '';

  push(line: string): readonly string[] {
    if (line.endsWith('=') && this.before.length < LONGEST) {
      this.before += line.slice(0, -1);
      return [];
    }
    const whole = this.before + line;
    this.before = '';
    return [decoded(whole)];
  }

  end(): readonly string[] {
    return this.before === '' ? [] : [decoded(this.before)];
  }
}

function decoded(line: string): string {
  return line.replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
}

/** Mail programs break lines at the last space before their margin. */
const SHORTEST_PART = 40;
const LONGEST_PART = 80;
const MOST_PARTS = 4;

/** Joins an unreadable line with those that follow, if that makes it readable. */
class Unwrapper implements LineMender {
  private parts: string[] = [];

  constructor(private readonly isEvent: IsEvent) {}

  push(line: string): readonly string[] {
    const { parts } = this;
    const last = parts.at(-1);
    if (last === undefined) return this.start(line);
    const joined = joinedWith(parts, line);
    // A line may be readable without its last column, which is then alone on the next line.
    const fits = !this.isEvent(last) || isColumn(line);
    if (fits && !this.isEvent(line) && this.isEvent(joined)) return this.finish([joined]);
    const goesOn = isPart(line) && !this.isEvent(line) && parts.length < MOST_PARTS;
    if (goesOn && !this.isEvent(last)) {
      parts.push(line);
      return [];
    }
    return [...this.finish(parts), ...this.start(line)];
  }

  end(): readonly string[] {
    return this.finish(this.parts);
  }

  private start(line: string): readonly string[] {
    if (!isPart(line)) return [line];
    this.parts.push(line);
    return [];
  }

  private finish(lines: readonly string[]): readonly string[] {
    this.parts = [];
    return lines;
  }
}

function isColumn(line: string): boolean {
  return !line.trim().includes(' ');
}

/** Whether a mail program may have wrapped these lines. */
export function hasMargin(lines: readonly string[]): boolean {
  return lines.every(({ length }) => length <= LONGEST_PART);
}

function isPart({ length }: string): boolean {
  return length >= SHORTEST_PART && length <= LONGEST_PART;
}

function joinedWith(parts: readonly string[], line: string): string {
  return [...parts.map((part) => part.trimEnd()), line.trimStart()].join(' ');
}
