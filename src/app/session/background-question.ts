/** A session that ends sooner waits this long for the answer, which would be typed into the shell otherwise. */
const ANSWER_MS = 500;

/** The question for the background, which the terminal answers among the keys, late or never. */
export class BackgroundQuestion {
  private timer: NodeJS.Timeout | undefined;
  private settle: () => void = () => undefined;
  /** Resolves when the answer has come, or will not come any more. */
  readonly settled = new Promise<void>((resolve) => (this.settle = resolve));

  constructor(readonly isAsked: boolean) {
    if (!isAsked) this.settle();
  }

  asked(): void {
    if (this.isAsked) this.timer = setTimeout(this.settle, ANSWER_MS);
  }

  answered(): void {
    clearTimeout(this.timer);
    this.settle();
  }
}
