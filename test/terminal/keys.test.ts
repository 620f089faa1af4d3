import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyDecoder, type InputEvent, keyName } from '../../src/terminal/keys.ts';

function names(events: readonly InputEvent[]): string[] {
  return events.map((event) => {
    if (event.kind === 'paste') return `paste ${JSON.stringify(event.text)}`;
    if (event.kind === 'background') return event.background;
    if (event.kind === 'status') return 'status';
    return event.kind === 'key' ? keyName(event) : event.action;
  });
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
  ])('the key decoder reads %j as %s, whole or byte by byte', (text, name) => {
    expect(decode(text)).toEqual([name]);
    const decoder = createKeyDecoder();
    const events = Array.from(Buffer.from(text), (byte) => decoder.decode(Uint8Array.of(byte)));
    expect(names(events.flat())).toEqual([name]);
    expect(decoder.pending).toBeUndefined();
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
  ])(
    'the key decoder reads Escape in %j as a key of its own, whole or byte by byte',
    (text, expected) => {
      expect(decode(text)).toEqual(expected);
      const decoder = createKeyDecoder();
      const events = Array.from(Buffer.from(text), (byte) => decoder.decode(Uint8Array.of(byte)));
      expect(names(events.flat())).toEqual(expected);
      expect(decoder.pending).toBeUndefined();
    },
  );

  it.each([
    ['sda', 'sda'],
    ['', ''],
    ['q', 'q'],
    ['disk=sda\nop=write\r\n', 'disk=sda op=write'],
    [' \t/var/log\t\tx ', '/var/log x'],
    ['\x03\x04q\x1a\x1c\x7f', 'q'],
    ['\x1b[A\x1b', '[A'],
    ['\x1b[200~x', '[200~x'],
    ['\x1b[20\x1b[201', '[20[201'],
    ['a\u202eb\u200bc\ufeff', 'abc'],
    ['1\u00a0ms', '1 ms'],
    ['grün 日 🙂', 'grün 日 🙂'],
  ])(
    'the key decoder reads the paste %j as the text %j, whole or byte by byte',
    (text, expected) => {
      const bytes = Buffer.from(`a\x1b[200~${text}\x1b[201~b`);
      const events = ['a', `paste ${JSON.stringify(expected)}`, 'b'];
      expect(names(createKeyDecoder().decode(bytes))).toEqual(events);
      const decoder = createKeyDecoder();
      const apart = Array.from(bytes, (byte) => decoder.decode(Uint8Array.of(byte)));
      expect(names(apart.flat())).toEqual(events);
      expect(decoder.pending).toBeUndefined();
    },
  );

  it('bytes of a paste that are not UTF-8 are dropped', () => {
    const bytes = Buffer.from('\x1b[200~a\xff\xc3b\x1b[201~', 'latin1');
    expect(names(createKeyDecoder().decode(bytes))).toEqual(['paste "ab"']);
  });

  it('a paste may have 4,096 bytes, a longer one is dropped', () => {
    expect(decode(`\x1b[200~${'x'.repeat(4096)}\x1b[201~q`)).toEqual([
      `paste "${'x'.repeat(4096)}"`,
      'q',
    ]);
    expect(decode(`\x1b[200~${'x'.repeat(4097)}\x1b[201~q`)).toEqual(['paste undefined', 'q']);
    expect(decode(`\x1b[200~y\x1b[201~`)).toEqual(['paste "y"']);
  });

  it('waiting for the end of a paste stops when no more bytes come', () => {
    const decoder = createKeyDecoder();
    expect(decoder.decode(Buffer.from('\x1b[200~abc\x1b[20'))).toEqual([]);
    expect(decoder.pending).toBe('paste');
    expect(names(decoder.flush())).toEqual(['paste "abc"']);
    expect(names(decoder.decode(Buffer.from('q')))).toEqual(['q']);
  });

  it('the end of a paste that has not started is ignored', () => {
    expect(decode('\x1b[201~q')).toEqual(['q']);
  });

  it.each([
    ['a control sequence', '\x1b[1;'],
    ['the start of one', '\x1b['],
    ['a very long one', `\x1b[${'1;'.repeat(500)}`],
    ['a private one', '\x1b[?1'],
    ['a function key of the Linux console', '\x1b[['],
    ['a key of the keypad', '\x1bO'],
    ['a colour report', '\x1b]11;rgb:00'],
    ['a device control string', '\x1bP1+r'],
    ['a string of another kind', '\x1b_Gi=1'],
    ['a string that is about to end', '\x1b]11;\x1b'],
    ['the start of a string', '\x1b]'],
    ['a mouse report', '\x1b[<0;1'],
    ['an old mouse report', '\x1b[M'],
    ['an old mouse report with a button', '\x1b[M !'],
    ['two bytes of a character', '\xe6\x97'],
    ['Escape', '\x1b'],
    ['a paste', '\x1b[200~rm -rf'],
    ['a paste whose end is cut off', '\x1b[200~rm -rf\x1b[201'],
  ])('Ctrl-C, Ctrl-Z and Ctrl-\\ are read after %s that is not finished', (_, begun) => {
    for (const [byte, key] of [
      ['\x03', 'ctrl+c'],
      ['\x1a', 'ctrl+z'],
      ['\x1c', 'ctrl+\\'],
    ] as const) {
      const decoder = createKeyDecoder();
      const events = decoder.decode(Buffer.from(`${begun}${byte}`, 'latin1'));
      events.push(...decoder.flush());
      expect(names(events).at(-1)).toBe(key);
      expect(names(decoder.decode(Buffer.from('q')))).toEqual(['q']);
    }
  });

  it('Ctrl-C in the middle of a paste is not a key, because the rest would go to the shell', () => {
    expect(decode('\x1b[200~\x03rm -rf ~\n\x1b[201~')).toEqual(['paste "rm -rf ~"']);
    expect(decode('\x1b[200~x\x03\x1b[201~')).toEqual(['paste "x"']);
  });

  it.each([
    ['\x1b', '[A', 'up'],
    ['\x1b[', 'A', 'up'],
    ['\x1bO', 'P', 'f1'],
    ['\x1b[<0;1', '0;5M', 'press'],
  ])('the key decoder joins %j and %j, which come in two pieces', (first, second, name) => {
    const decoder = createKeyDecoder();
    expect(decoder.decode(Buffer.from(first))).toEqual([]);
    expect(names(decoder.decode(Buffer.from(second)))).toEqual([name]);
  });

  it('several keys of one chunk are read in their order', () => {
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
    ['a colour report', '\x1b]10;rgb:0000/0000/0000\x07'],
    ['the report of a colour that is none', '\x1b]11;rgb:zz/00/00\x07'],
    ['a string with ST', '\x1bP1+r544e\x1b\\'],
    ['a string of another kind', '\x1b_Gi=1;OK\x1b\\'],
    ['a very long one', `\x1b[${'1;'.repeat(500)}A`],
    ['an old mouse report', '\x1b[M !!'],
    ['broken UTF-8', '\xc3'],
  ])('an unknown sequence is dropped as a whole: %s', (_, text) => {
    expect(names(createKeyDecoder().decode(Buffer.from(`${text}q`, 'latin1')))).toEqual(['q']);
  });

  it.each([[[0xff]], [[0x80]], [[0xc0, 0x80]], [[0xed, 0xa0, 0x80]], [[0xf8]]])(
    'the invalid bytes %j are dropped',
    (bytes) => {
      expect(names(createKeyDecoder().decode(Uint8Array.from([...bytes, 0x71])))).toEqual(['q']);
    },
  );

  it('a control character ends an unfinished sequence, and is read', () => {
    expect(decode('\x1b[1\x01q')).toEqual(['ctrl+a', 'q']);
    expect(decode('\x1b[1;5\rA')).toEqual(['enter', 'A']);
    expect(decode('\x1b[6\x7f~')).toEqual(['backspace', '~']);
    expect(decode('\x1b]11;a\tb\r\nc\x07q')).toEqual(['q']);
  });

  it('a new sequence ends an unfinished one and is read', () => {
    expect(decode('\x1b[1;\x1b[B')).toEqual(['down']);
    expect(decode('\x1bO\x1bOB')).toEqual(['down']);
  });

  it.each([
    ['\x1b]11;rgb:0000/0000/0000\x07', 'dark'],
    ['\x1b]11;rgb:ffff/ffff/ffff\x1b\\', 'light'],
    ['\x1b]11;rgb:00/2b/36\x07', 'dark'],
    ['\x1b]11;rgba:fdfd/f6f6/e3e3/ffff\x07', 'light'],
  ])(
    'a key decoder reads the background from the answer %j, whole or in pieces',
    (answer, background) => {
      expect(decode(`j${answer}q`)).toEqual(['j', background, 'q']);
      for (let at = 2; at < answer.length; at++) {
        const decoder = createKeyDecoder();
        const early = decoder.decode(Buffer.from(answer.slice(0, at)));
        expect([early, decoder.pending]).toEqual([[], 'answer']);
        expect(names(decoder.decode(Buffer.from(`${answer.slice(at)}q`)))).toEqual([
          background,
          'q',
        ]);
      }
    },
  );

  it.each([
    ['\x1b]', ['escape', ']']],
    ['\x1b]11;', []],
  ])(
    'a key decoder drops the start %j of an answer that does not come, or takes it for keys',
    (text, keys) => {
      const decoder = createKeyDecoder();
      decoder.decode(Buffer.from(text));
      expect(decoder.pending).toBe('answer');
      expect(names(decoder.flush())).toEqual(keys);
      expect(decoder.pending).toBeUndefined();
      expect(names(decoder.decode(Buffer.from('q')))).toEqual(['q']);
    },
  );

  it.each([
    ['\x1b', ['escape']],
    ['\x1b\x1b', ['escape', 'escape']],
    ['\x1b[', ['escape', '[']],
    ['\x1bO', ['escape', 'O']],
    ['\x1bP', ['escape', 'P']],
  ])('the key decoder reads %j as a key when no more bytes come', (text, expected) => {
    const decoder = createKeyDecoder();
    const early = decoder.decode(Buffer.from(text));
    expect(decoder.pending).toBe('key');
    expect(names([...early, ...decoder.flush()])).toEqual(expected);
    expect(decoder.pending).toBeUndefined();
    expect(names(decoder.decode(Buffer.from('q')))).toEqual(['q']);
  });

  it('the key decoder waits for the rest of bytes that are not a key, however long it takes', () => {
    const decoder = createKeyDecoder();
    decoder.decode(Buffer.from('\x1b[6'));
    expect(decoder.pending).toBeUndefined();
    expect(decoder.flush()).toEqual([]);
    expect(names(decoder.decode(Buffer.from('~')))).toEqual(['pagedown']);
    decoder.decode(Uint8Array.of(0xc3));
    expect(decoder.flush()).toEqual([]);
    expect(names(decoder.decode(Uint8Array.of(0xa9)))).toEqual(['é']);
  });

  it('after a complete key, the key decoder has no pending bytes', () => {
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
  ])('the key decoder reads the mouse report %j', (text, expected) => {
    const events = createKeyDecoder().decode(Buffer.from(text));
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ kind: 'mouse', ...expected });
  });

  it.each(['\x1b[<0;0;1M', '\x1b[<;;M', '\x1b[<128;1;1M', '\x1b[<66;1;1M', '\x1b[<0;1;1A'])(
    'the key decoder drops the mouse report %j',
    (text) => {
      expect(decode(text)).toEqual([]);
    },
  );

  it('the same keys are read however their bytes are split into chunks', () => {
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
      '\x03',
      '\x1b[',
      '\x1b]11;',
      '\x07',
      '\x1b[M',
      '\x1b[200~',
      '\x1b[201~',
      '1;',
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

  const ANY_INPUT = fc
    .array(
      fc.oneof(
        fc.uint8Array({ maxLength: 20 }),
        fc
          .constantFrom('\x1b', '\x1b[', '\x1b[[', '\x1bO', '\x1b]', '\x1bP', '\x1b[M', '\x1b[<0;')
          .map((text) => Buffer.from(text)),
        fc.constantFrom('\x1b[200~', '\x1b[201~', '\x1b[20').map((text) => Buffer.from(text)),
      ),
      { maxLength: 12 },
    )
    .map((parts) => Buffer.concat(parts));

  it('Ctrl-C is read whatever came before, with and without a pause between', () => {
    fc.assert(
      fc.property(ANY_INPUT, fc.boolean(), (bytes, hasPaused) => {
        const decoder = createKeyDecoder();
        decoder.decode(bytes);
        if (hasPaused) decoder.flush();
        const events = [...decoder.decode(Uint8Array.of(0x03)), ...decoder.flush()];
        expect(names(events).at(-1)).toBe('ctrl+c');
      }),
      { numRuns: 2000 },
    );
  });

  it('any bytes give the same keys however they are split into chunks', () => {
    fc.assert(
      fc.property(ANY_INPUT, fc.array(fc.nat(20)), (bytes, cuts) => {
        const [whole, apart] = [createKeyDecoder(), createKeyDecoder()];
        const events: InputEvent[] = [];
        let at = 0;
        for (const cut of cuts) events.push(...apart.decode(bytes.subarray(at, (at += cut))));
        events.push(...apart.decode(bytes.subarray(at)), ...apart.flush());
        expect(events).toEqual([...whole.decode(bytes), ...whole.flush()]);
      }),
      { numRuns: 1000 },
    );
  });

  it('bytes of a paste are never read as keys', () => {
    fc.assert(
      fc.property(ANY_INPUT, (bytes) => {
        const pasted = Buffer.from(bytes.toString('latin1').replaceAll('\x1b[201~', ''), 'latin1');
        fc.pre(!pasted.includes('\x1b[201~') && !/\x1b(\[(2(0(1)?)?)?)?$/.test(pasted.toString()));
        const whole = Buffer.concat([Buffer.from('\x1b[200~'), pasted, Buffer.from('\x1b[201~')]);
        const events = createKeyDecoder().decode(whole);
        expect(events.map(({ kind }) => kind)).toEqual(['paste']);
        for (const event of events) {
          const text = event.kind === 'paste' ? event.text : undefined;
          expect(text).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
        }
      }),
    );
  });

  it('after any bytes and a pause, the next key is read', () => {
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

describe('the answer to the question for the status', () => {
  it('the answer to the question for the status is no key', () => {
    expect(decode('\x1b[0n')).toEqual(['status']);
    expect(decode('\x1b[3n')).toEqual(['status']);
    expect(decode('a\x1b[0n\x1b[0nb')).toEqual(['a', 'status', 'status', 'b']);
  });

  it('the answer to the question for the status is no key in pieces, nor after a lone Escape', () => {
    const decoder = createKeyDecoder();
    const events = Array.from('\x1b\x1b[0n', (one) => decoder.decode(Buffer.from(one))).flat();
    expect(names(events)).toEqual(['escape', 'status']);
  });

  it('between two pieces of a paste is no part of it', () => {
    const text = '\x1b[200~lat>\x1b[0n1ms\x1b\x1b[0\x1b[201~x';
    expect(decode(text)).toEqual(['status', 'paste "lat>1ms[0"', 'x']);
  });

  it('the answer to the question for the status with other parameters is ignored', () => {
    expect(decode('\x1b[n\x1b[5n\x1b[6n\x1b[0;0n\x1b[?0n\x1b[00n')).toEqual([]);
  });
});
