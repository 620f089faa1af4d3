import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyDecoder, type InputEvent, keyName } from '../../src/terminal/keys.ts';

function names(events: readonly InputEvent[]): string[] {
  return events.map((event) => (event.kind === 'key' ? keyName(event) : event.action));
}

function decode(text: string): string[] {
  return names(createKeyDecoder().decode(Buffer.from(text)));
}

describe('a key decoder', () => {
  it.each([
    ['a', 'a'],
    ['A', 'A'],
    ['?', '?'],
    ['é', 'é'],
    ['日', '日'],
    ['🙂', '🙂'],
    [' ', 'space'],
    ['\t', 'tab'],
    ['\r', 'enter'],
    ['\n', 'enter'],
    ['\x7f', 'backspace'],
    ['\x08', 'backspace'],
    ['\0', 'ctrl+space'],
    ['\x01', 'ctrl+a'],
    ['\x03', 'ctrl+c'],
    ['\x1a', 'ctrl+z'],
    ['\x1c', 'ctrl+\\'],
    ['\x1f', 'ctrl+_'],
    ['\x1b[A', 'up'],
    ['\x1bOA', 'up'],
    ['\x1b[1;5A', 'ctrl+up'],
    ['\x1b[1;2D', 'shift+left'],
    ['\x1b[1;8C', 'ctrl+alt+shift+right'],
    ['\x1b[H', 'home'],
    ['\x1bOF', 'end'],
    ['\x1b[1~', 'home'],
    ['\x1b[4~', 'end'],
    ['\x1b[7~', 'home'],
    ['\x1b[8~', 'end'],
    ['\x1b[2~', 'insert'],
    ['\x1b[3~', 'delete'],
    ['\x1b[5~', 'pageup'],
    ['\x1b[6~', 'pagedown'],
    ['\x1b[6;5~', 'ctrl+pagedown'],
    ['\x1b[Z', 'shift+tab'],
    ['\x1bOP', 'f1'],
    ['\x1b[[A', 'f1'],
    ['\x1b[11~', 'f1'],
    ['\x1b[15~', 'f5'],
    ['\x1b[24;2~', 'shift+f12'],
    ['\x1bOM', 'enter'],
    ['\x1bOk', '+'],
    ['\x1bOp', '0'],
  ])('reads %j as %s, whole or byte by byte', (text, name) => {
    expect(decode(text)).toEqual([name]);
    const decoder = createKeyDecoder();
    const events = Array.from(Buffer.from(text), (byte) => decoder.decode(Uint8Array.of(byte)));
    expect(names(events.flat())).toEqual([name]);
    expect(decoder.isPending).toBe(false);
  });

  it.each([
    ['\x1bp', ['escape', 'p']],
    ['\x1b\x1bp', ['escape', 'escape', 'p']],
    ['\x1b ', ['escape', 'space']],
    ['\x1b\r', ['escape', 'enter']],
    ['\x1b\x03', ['escape', 'ctrl+c']],
    ['\x1b\x7f', ['escape', 'backspace']],
    ['\x1bé', ['escape', 'é']],
    ['\x1b\x1b[B', ['escape', 'down']],
    ['\x1b\x1bOP', ['escape', 'f1']],
    ['\x1b\x1b[<0;10;5M', ['escape', 'press']],
    ['q\x1bq\x1b[A', ['q', 'escape', 'q', 'up']],
  ])('reads in %j Escape as a key of its own, whole or byte by byte', (text, expected) => {
    expect(decode(text)).toEqual(expected);
    const decoder = createKeyDecoder();
    const events = Array.from(Buffer.from(text), (byte) => decoder.decode(Uint8Array.of(byte)));
    expect(names(events.flat())).toEqual(expected);
    expect(decoder.isPending).toBe(false);
  });

  it('types what is pasted, between the marks of a terminal that brackets it', () => {
    expect(decode('\x1b[200~sda\x1b[201~')).toEqual(['s', 'd', 'a']);
  });

  it.each([
    ['\x1b', '[A', 'up'],
    ['\x1b[', 'A', 'up'],
    ['\x1bO', 'P', 'f1'],
    ['\x1b[<0;1', '0;5M', 'press'],
  ])('joins %j and %j, which come apart', (first, second, name) => {
    const decoder = createKeyDecoder();
    expect(decoder.decode(Buffer.from(first))).toEqual([]);
    expect(names(decoder.decode(Buffer.from(second)))).toEqual([name]);
  });

  it('reads several keys of one chunk in their order', () => {
    expect(decode('jj\x1b[Ak\x1b[6~\x1bOBé\x03')).toEqual([
      ...['j', 'j', 'up', 'k', 'pagedown', 'down', 'é', 'ctrl+c'],
    ]);
  });

  it.each([
    ['a control sequence', '\x1b[200;3$y'],
    ['a private one', '\x1b[?1;2c'],
    ['a secondary one', '\x1b[>41;354;0c'],
    ['a tilde with an unknown number', '\x1b[99~'],
    ['focus', '\x1b[I\x1b[O'],
    ['SS3', '\x1bOz'],
    ['a colour report', '\x1b]11;rgb:0000/0000/0000\x07'],
    ['a string with ST', '\x1bP1+r544e\x1b\\'],
    ['a string of another kind', '\x1b_Gi=1;OK\x1b\\'],
    ['a very long one', `\x1b[${'1;'.repeat(500)}A`],
    ['an old mouse report', '\x1b[M !!'],
    ['a control character inside', '\x1b[1\x01'],
    ['broken UTF-8', '\xc3'],
  ])('drops what it does not know as a whole: %s', (_, text) => {
    expect(names(createKeyDecoder().decode(Buffer.from(`${text}q`, 'latin1')))).toEqual(['q']);
  });

  it.each([[[0xff]], [[0x80]], [[0xc0, 0x80]], [[0xed, 0xa0, 0x80]], [[0xf8]]])(
    'drops the invalid bytes %j',
    (bytes) => {
      expect(names(createKeyDecoder().decode(Uint8Array.from([...bytes, 0x71])))).toEqual(['q']);
    },
  );

  it('begins anew when a sequence is broken off by another', () => {
    expect(decode('\x1b[1;\x1b[B')).toEqual(['down']);
    expect(decode('\x1bO\x1bOB')).toEqual(['down']);
  });

  it.each([
    ['\x1b', ['escape']],
    ['\x1b\x1b', ['escape', 'escape']],
    ['\x1b[', ['escape', '[']],
    ['\x1bO', ['escape', 'O']],
    ['\x1b]', ['escape', ']']],
    ['\x1bP', ['escape', 'P']],
    ['\x1b]11;', []],
  ])('takes %j for a key when nothing follows', (text, expected) => {
    const decoder = createKeyDecoder();
    const early = decoder.decode(Buffer.from(text));
    expect(decoder.isPending).toBe(true);
    expect(names([...early, ...decoder.flush()])).toEqual(expected);
    expect(decoder.isPending).toBe(false);
    expect(names(decoder.decode(Buffer.from('q')))).toEqual(['q']);
  });

  it('waits for the rest of what no key begins with, however long it takes', () => {
    const decoder = createKeyDecoder();
    decoder.decode(Buffer.from('\x1b[6'));
    expect(decoder.isPending).toBe(false);
    expect(decoder.flush()).toEqual([]);
    expect(names(decoder.decode(Buffer.from('~')))).toEqual(['pagedown']);
    decoder.decode(Uint8Array.of(0xc3));
    expect(decoder.flush()).toEqual([]);
    expect(names(decoder.decode(Uint8Array.of(0xa9)))).toEqual(['é']);
  });

  it('has nothing to flush after a whole key', () => {
    const decoder = createKeyDecoder();
    decoder.decode(Buffer.from('a\x1b[A'));
    expect(decoder.flush()).toEqual([]);
  });

  it.each([
    ['\x1b[<0;1;1M', { action: 'press', button: 'left', x: 0, y: 0 }],
    ['\x1b[<0;10;5m', { action: 'release', button: 'left', x: 9, y: 4 }],
    ['\x1b[<2;300;100M', { action: 'press', button: 'right', x: 299, y: 99 }],
    ['\x1b[<32;3;4M', { action: 'move', button: 'left', x: 2, y: 3 }],
    ['\x1b[<35;3;4M', { action: 'move', button: 'none', x: 2, y: 3 }],
    ['\x1b[<64;3;4M', { action: 'wheelup', button: 'none', x: 2, y: 3 }],
    ['\x1b[<65;3;4M', { action: 'wheeldown', button: 'none', x: 2, y: 3 }],
    ['\x1b[<28;3;4M', { action: 'press', button: 'left', ctrl: true, alt: true, shift: true }],
  ])('reads the mouse report %j', (text, expected) => {
    const events = createKeyDecoder().decode(Buffer.from(text));
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ kind: 'mouse', ...expected });
  });

  it.each(['\x1b[<0;0;1M', '\x1b[<;;M', '\x1b[<128;1;1M', '\x1b[<66;1;1M', '\x1b[<0;1;1A'])(
    'drops the mouse report %j',
    (text) => {
      expect(decode(text)).toEqual([]);
    },
  );

  it('gives the same keys however the bytes are cut into chunks', () => {
    const pieces = [
      'a',
      'é',
      '🙂',
      '\x1b[A',
      '\x1bOB',
      '\x1b[1;5C',
      '\x1b[<0;1;1M',
      '\x1b[5~',
      '\x1bx',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces)), fc.array(fc.nat(20)), (text, cuts) => {
        const bytes = Buffer.from(text.join(''));
        const decoder = createKeyDecoder();
        const events: InputEvent[] = [];
        let at = 0;
        for (const cut of cuts) events.push(...decoder.decode(bytes.subarray(at, (at += cut))));
        events.push(...decoder.decode(bytes.subarray(at)));
        expect(names(events)).toEqual(decode(text.join('')));
      }),
    );
  });

  it('survives any bytes and understands the next key after a pause', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const decoder = createKeyDecoder();
        decoder.decode(bytes);
        decoder.flush();
        // At most the rest of one character, sequence or old mouse report is still awaited.
        decoder.decode(Buffer.from('\x1b'));
        decoder.decode(Buffer.from('...'));
        decoder.flush();
        decoder.decode(Buffer.from('~\x07'));
        expect(names(decoder.decode(Buffer.from('q')))).toEqual(['q']);
      }),
    );
  });
});
