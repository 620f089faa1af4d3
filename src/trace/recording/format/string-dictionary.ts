/** The texts of a dictionary column, numbered in order of appearance. */
export class StringDictionary {
  private readonly numbers = new Map<string, number>();
  private texts: string[] = [];
  private written = -1;

  number(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    const number = this.texts.length;
    this.numbers.set(text, number);
    this.texts.push(text);
    return number;
  }

  clear(): void {
    this.numbers.clear();
    this.texts = [];
    this.written = -1;
  }

  /** All texts if there are new ones since the last call, or at the first call; otherwise undefined. */
  takeChanged(): readonly string[] | undefined {
    if (this.written === this.texts.length) return undefined;
    this.written = this.texts.length;
    return this.texts;
  }
}
