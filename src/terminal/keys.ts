import { asciiKey } from './ascii-key.ts';
import { parseAnswer } from './background.ts';
import { applicationKey, controlEvent } from './control-keys.ts';
import { type InputEvent, keyEvent } from './input-event.ts';
import { KEY_OF_LINUX_FINAL } from './key-names.ts';
import { PasteCollector } from './paste-collector.ts';

export { type InputEvent, keyName } from './input-event.ts';

/**
 * Decodes what a terminal sends into keys. It has no timer: the caller reports a pause. An Escape followed by
 * something that is not a sequence is two keys: over a slow link both arrive in one piece, just as with Alt, and no
 * key has a meaning with Alt.
 *
 * Ctrl-C is always a key, even in an unfinished sequence: a control character that cannot be part of a sequence or
 * string cancels it and counts as a key. A terminal would execute it and continue the sequence, but here the rest of
 * a truncated sequence never comes, and the next keys would be taken as part of it.
 */
export interface KeyDecoder {
  /** The events that this chunk completes. */
  decode(chunk: Uint8Array): InputEvent[];
  /**
   * Call after a pause: an Escape that may have started a sequence was the key, and the end of a paste is lost.
   * Input that can only be part of something longer is still kept.
   */
  flush(): InputEvent[];
  /** The kind of unfinished input that `flush` would decide. */
  readonly pending: Pending | undefined;
}

/**
 * The kind of unfinished input. The parts of a paste and of a terminal's answer may come with longer pauses than those
 * of a key.
 */
export type Pending = 'key' | 'paste' | 'answer';

export function createKeyDecoder(): KeyDecoder {
  return new Decoder();
}

const ESC = 0x1b;
const BEL = 0x07;
const LEFT_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const RIGHT_BRACKET = 0x5d;
const TILDE = 0x7e;
const CAPITAL_M = 0x4d;
const CAPITAL_O = 0x4f;

/** OSC, DCS, SOS, PM, APC: the start of an answer, asked for or not. */
const STRING_INTRODUCERS = new Set(Buffer.from(']PX^_'));

/** BS, HT, LF, VT, FF, CR: ECMA-48 allows them in a string (8.3.89, OSC, and similarly the others). */
const FIRST_FORMAT_EFFECTOR = 0x08;
const LAST_FORMAT_EFFECTOR = 0x0d;
const DELETE = 0x7f;

/** No key, no mouse report and no answer for a colour is longer. */
const MAX_SEQUENCE = 32;

/** Bytes of a legacy mouse report after `CSI M`. */
const OLD_MOUSE_BYTES = 3;

type State =
  | 'ground'
  | 'escape'
  | 'control'
  | 'linux'
  | 'application'
  | 'string'
  | 'stringEscape'
  | 'character'
  | 'paste'
  | 'skipped';

class Decoder implements KeyDecoder {
  private events: InputEvent[] = [];
  private state: State = 'ground';
  /** Parameters of the current control sequence, or bytes of the current character. */
  private read: number[] = [];
  private missing = 0;
  /** The introducer of a string that is being skipped. */
  private introducer: number | undefined;
  /** Whether the string is an operating system command, as the answer for a colour is. */
  private isAnswer = false;
  private readonly paste = new PasteCollector();

  get pending(): Pending | undefined {
    if (this.state === 'paste') return 'paste';
    if (this.isAnswer) return 'answer';
    const isOpen = this.state === 'control' && this.read.length === 0;
    const mayBeKey = ['escape', 'application', 'string', 'stringEscape'].includes(this.state);
    return isOpen || mayBeKey ? 'key' : undefined;
  }

  decode(chunk: Uint8Array): InputEvent[] {
    for (const byte of chunk) this.step(byte);
    return this.take();
  }

  flush(): InputEvent[] {
    if (this.pending === 'paste') this.endPaste(this.paste.breakOff());
    else if (this.pending !== undefined) this.settle();
    return this.take();
  }

  /** Takes unfinished input as the keys that it may be, or drops it. */
  private settle(): void {
    if (this.state === 'escape') this.emit(keyEvent('escape'));
    else if (this.state === 'control' && this.read.length === 0) this.emitApart(LEFT_BRACKET);
    else if (this.state === 'application') this.emitApart(CAPITAL_O);
    else if (this.introducer !== undefined) this.emitApart(this.introducer);
    else this.toGround();
  }

  private step(byte: number): void {
    if (this.isCancelledBy(byte)) this.settle();
    switch (this.state) {
      case 'ground':
        this.onGround(byte);
        return;
      case 'escape':
        this.onEscape(byte);
        return;
      case 'control':
        this.onControl(byte);
        return;
      case 'linux':
        this.onLinuxFunctionKey(byte);
        return;
      case 'application':
        this.onApplication(byte);
        return;
      case 'string':
        this.onString(byte);
        return;
      case 'stringEscape':
        this.onStringEscape(byte);
        return;
      case 'character':
        this.onCharacter(byte);
        return;
      case 'skipped':
        if (byte === ESC) this.restart();
        else if (--this.missing === 0) this.toGround();
        return;
      case 'paste':
        this.onPaste(byte);
    }
  }

  /** Whether the unfinished input cannot contain this control character. */
  private isCancelledBy(byte: number): boolean {
    switch (this.state) {
      case 'control':
      case 'linux':
      case 'application':
      case 'skipped':
        return byte !== ESC && (byte < 0x20 || byte === DELETE);
      case 'string':
        if (byte >= FIRST_FORMAT_EFFECTOR && byte <= LAST_FORMAT_EFFECTOR) return false;
        return byte < 0x20 && byte !== ESC && byte !== BEL;
      default:
        return false;
    }
  }

  private take(): InputEvent[] {
    const { events } = this;
    this.events = [];
    return events;
  }

  private toGround(): void {
    this.state = 'ground';
    this.introducer = undefined;
    this.isAnswer = false;
    this.read = [];
  }

  private emit(event: InputEvent | undefined): void {
    if (event !== undefined) this.events.push(event);
    this.toGround();
  }

  /** Emits Escape and then another key. */
  private emitApart(byte: number): void {
    this.events.push(keyEvent('escape'));
    this.emit(asciiKey(byte));
  }

  private onGround(byte: number): void {
    if (byte === ESC) this.state = 'escape';
    else if (byte < 0x80) this.emit(asciiKey(byte));
    else this.startCharacter(byte);
  }

  private onEscape(byte: number): void {
    if (byte === LEFT_BRACKET) this.state = 'control';
    else if (byte === CAPITAL_O) this.state = 'application';
    else if (STRING_INTRODUCERS.has(byte)) this.startString(byte);
    else {
      this.emit(keyEvent('escape'));
      this.onGround(byte);
    }
  }

  private startString(introducer: number): void {
    this.introducer = introducer;
    this.isAnswer = introducer === RIGHT_BRACKET;
    this.state = 'string';
  }

  private onControl(byte: number): void {
    if (byte === ESC) this.restart();
    else if (byte === LEFT_BRACKET && this.read.length === 0) this.state = 'linux';
    else if (byte >= 0x20 && byte < 0x40) this.collect(byte);
    else if (byte === CAPITAL_M && this.read.length === 0) this.skip(OLD_MOUSE_BYTES);
    else if (byte >= 0x40 && byte < DELETE) this.finishControl(byte);
    else this.toGround();
  }

  private finishControl(final: number): void {
    if (isPasteStart(this.read, final)) {
      this.toGround();
      this.state = 'paste';
    } else this.emit(this.controlEvent(final));
  }

  private onPaste(byte: number): void {
    const event = this.paste.add(byte);
    if (event?.kind === 'status') this.events.push(event);
    else if (event !== undefined) this.endPaste([event]);
  }

  private endPaste(events: readonly InputEvent[]): void {
    this.events.push(...events);
    this.toGround();
  }

  private controlEvent(final: number): InputEvent | undefined {
    if (this.read.length > MAX_SEQUENCE) return undefined;
    const params = String.fromCharCode(...this.read);
    return controlEvent(params, String.fromCharCode(final));
  }

  private onLinuxFunctionKey(byte: number): void {
    if (byte === ESC) this.restart();
    else {
      const name = KEY_OF_LINUX_FINAL[String.fromCharCode(byte)];
      this.emit(name === undefined ? undefined : keyEvent(name));
    }
  }

  private onApplication(byte: number): void {
    if (byte === ESC) this.restart();
    // Some terminals put the modifiers here.
    else if (byte < 0x30 || byte > 0x39) this.emit(applicationKey(String.fromCharCode(byte)));
  }

  /** A string ends with BEL or ST, which is ESC \. */
  private onString(byte: number): void {
    this.introducer = undefined;
    if (byte === BEL) this.finishString();
    else if (byte === ESC) this.state = 'stringEscape';
    else this.collect(byte);
  }

  private onStringEscape(byte: number): void {
    if (byte === BACKSLASH) {
      this.finishString();
      return;
    }
    this.restart();
    this.step(byte);
  }

  private finishString(): void {
    const background = this.isAnswer ? parseAnswer(String.fromCharCode(...this.read)) : undefined;
    this.emit(background && { kind: 'background', background });
  }

  private startCharacter(byte: number): void {
    this.missing = continuationBytes(byte);
    if (this.missing === 0) {
      this.toGround();
    } else {
      this.read = [byte];
      this.state = 'character';
    }
  }

  private onCharacter(byte: number): void {
    if ((byte & 0xc0) !== 0x80) {
      this.toGround();
      this.step(byte);
      return;
    }
    this.read.push(byte);
    if (this.read.length <= this.missing) return;
    const name = Buffer.from(this.read).toString('utf8');
    // Overlong forms and surrogates decode to replacement characters.
    this.emit(name.includes('\ufffd') ? undefined : keyEvent(name));
  }

  private skip(count: number): void {
    this.missing = count;
    this.state = 'skipped';
  }

  /** A sequence was interrupted by the ESC of another one. */
  private restart(): void {
    this.toGround();
    this.state = 'escape';
  }

  /** Beyond the limit, bytes are only skipped, so that the whole sequence is dropped. */
  private collect(byte: number): void {
    if (this.read.length <= MAX_SEQUENCE) this.read.push(byte);
  }
}

/** `CSI 200 ~`: what follows was pasted, up to `CSI 201 ~`. */
function isPasteStart(params: readonly number[], final: number): boolean {
  return final === TILDE && String.fromCharCode(...params) === '200';
}

function continuationBytes(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 1;
  if (lead >= 0xe0 && lead <= 0xef) return 2;
  return lead >= 0xf0 && lead <= 0xf4 ? 3 : 0;
}
