import { applicationKey, controlEvent } from './control-keys.ts';
import { type InputEvent, keyEvent } from './input-event.ts';
import { KEY_OF_CONTROL, KEY_OF_LINUX_FINAL } from './key-names.ts';

export { type InputEvent, type KeyEvent, keyName, type MouseEvent } from './input-event.ts';

/**
 * Turns what a terminal sends into keys. Knows no time: the caller tells when it was quiet. An Escape
 * before what belongs to no sequence is that key, then the other: over a slow link both arrive in one
 * piece, just as Alt held with the other does, and no key means anything with Alt.
 */
export interface KeyDecoder {
  /** The events that are complete with this chunk. */
  decode(chunk: Uint8Array): InputEvent[];
  /**
   * Nothing has followed for a while, so an Escape that may have been the start of a sequence was
   * the key. What can only be part of something longer goes on waiting for the rest.
   */
  flush(): InputEvent[];
  /** Whether `flush` has something to decide. */
  readonly isPending: boolean;
}

export function createKeyDecoder(): KeyDecoder {
  return new Decoder();
}

const ESC = 0x1b;
const BEL = 0x07;
const LEFT_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CAPITAL_M = 0x4d;
const CAPITAL_O = 0x4f;

/** OSC, DCS, SOS, PM, APC: the start of an answer that nobody has asked for. */
const STRING_INTRODUCERS = new Set(Buffer.from(']PX^_'));

const CTRL = { ctrl: true, alt: false, shift: false };

/** No key and no mouse report is longer. */
const MAX_SEQUENCE = 32;

/** Bytes of a mouse report of the old kind after `CSI M`. */
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
  | 'skipped';

class Decoder implements KeyDecoder {
  private events: InputEvent[] = [];
  private state: State = 'ground';
  /** Parameters of the control sequence, or bytes of the character, being read. */
  private read: number[] = [];
  private missing = 0;
  /** What began the string that is passed over, until more of it comes. */
  private introducer: number | undefined;

  get isPending(): boolean {
    const isOpen = this.state === 'control' && this.read.length === 0;
    return isOpen || ['escape', 'application', 'string', 'stringEscape'].includes(this.state);
  }

  decode(chunk: Uint8Array): InputEvent[] {
    for (const byte of chunk) this.step(byte);
    return this.take();
  }

  flush(): InputEvent[] {
    if (!this.isPending) return [];
    if (this.state === 'escape') this.emit(keyEvent('escape'));
    else if (this.state === 'control') this.emitApart(LEFT_BRACKET);
    else if (this.state === 'application') this.emitApart(CAPITAL_O);
    else if (this.introducer !== undefined) this.emitApart(this.introducer);
    else this.toGround();
    return this.take();
  }

  private step(byte: number): void {
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
        if (--this.missing === 0) this.toGround();
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
    this.read = [];
  }

  private emit(event: InputEvent | undefined): void {
    if (event !== undefined) this.events.push(event);
    this.toGround();
  }

  /** Escape, and then another key. */
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
    this.state = 'string';
  }

  private onControl(byte: number): void {
    if (byte === ESC) this.restart();
    else if (byte === LEFT_BRACKET && this.read.length === 0) this.state = 'linux';
    else if (byte >= 0x20 && byte < 0x40) this.collect(byte);
    else if (byte === CAPITAL_M && this.read.length === 0) this.skip(OLD_MOUSE_BYTES);
    else if (byte >= 0x40 && byte < 0x7f) this.emit(this.controlEvent(byte));
    else this.toGround();
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
    // Some terminals put the modifiers there.
    else if (byte < 0x30 || byte > 0x39) this.emit(applicationKey(String.fromCharCode(byte)));
  }

  /** Until BEL or ST, and ST is ESC \. */
  private onString(byte: number): void {
    this.introducer = undefined;
    if (byte === BEL) this.toGround();
    else if (byte === ESC) this.state = 'stringEscape';
  }

  private onStringEscape(byte: number): void {
    this.restart();
    if (byte === BACKSLASH) this.toGround();
    else this.step(byte);
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

  /** A sequence was broken off by the ESC of another one. */
  private restart(): void {
    this.toGround();
    this.state = 'escape';
  }

  /** Beyond the limit the bytes are only waited out, so the whole sequence is dropped. */
  private collect(byte: number): void {
    if (this.read.length <= MAX_SEQUENCE) this.read.push(byte);
  }
}

function continuationBytes(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 1;
  if (lead >= 0xe0 && lead <= 0xef) return 2;
  return lead >= 0xf0 && lead <= 0xf4 ? 3 : 0;
}

function asciiKey(byte: number): InputEvent {
  const named = KEY_OF_CONTROL[byte];
  if (named !== undefined) return keyEvent(named);
  if (byte >= 0x20) return keyEvent(String.fromCharCode(byte));
  if (byte === 0) return keyEvent('space', CTRL);
  // Ctrl takes the upper bits away: Ctrl+A is 1, Ctrl+\ is 0x1c.
  const letter = String.fromCharCode(byte + 0x40).toLowerCase();
  return keyEvent(letter, CTRL);
}
