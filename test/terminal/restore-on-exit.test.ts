import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildPainter, PainterTerminal, removePainter } from './painter-terminal.ts';

let folder = '';
const terminals: PainterTerminal[] = [];

beforeAll(async () => {
  folder = await buildPainter();
});

afterEach(() => {
  for (const terminal of terminals.splice(0)) terminal.dispose();
});

afterAll(async () => {
  await removePainter(folder);
});

/**
 * Tells how the program ended and how it has left the terminal. The shell stays: what comes after it
 * has ended may be lost.
 */
const AND_REPORT = `; echo "status=$?"; stty -a; echo reported; read`;

async function start(script = `$PAINTER${AND_REPORT}`): Promise<PainterTerminal> {
  const terminal = await PainterTerminal.start(folder, script);
  terminals.push(terminal);
  await terminal.shows('ready');
  await terminal.until(() => terminal.painterPid > 0);
  return terminal;
}

function isCursorHidden({ emulator }: PainterTerminal): boolean {
  const { _core } = emulator.terminal as unknown as {
    _core: { coreService: { isCursorHidden: boolean } };
  };
  return _core.coreService.isCursorHidden;
}

/** The emulator's and the kernel's side of a terminal as a shell expects it. */
function expectRestored(terminal: PainterTerminal): void {
  const { buffer, modes } = terminal.emulator.terminal;
  const text = terminal.lines.join('\n');
  expect(buffer.active.type).toBe('normal');
  expect(modes).toMatchObject({
    wraparoundMode: true,
    mouseTrackingMode: 'none',
    synchronizedOutputMode: false,
  });
  expect(isCursorHidden(terminal)).toBe(false);
  expect(text).toMatch(/(^|\s)icanon(\s|$)/m);
  expect(text).toMatch(/(^|\s)echo(\s|$)/m);
  expect(text).toMatch(/(^|\s)isig(\s|$)/m);
}

async function expectEnd(terminal: PainterTerminal, status: number): Promise<void> {
  await terminal.shows('reported');
  expect(terminal.lines.join('\n')).toContain(`status=${status}\n`);
  expectRestored(terminal);
  expect(terminal.raw.split('\x1b[?1049l')).toHaveLength(2);
}

describe('a program that draws', () => {
  it('the program takes the alternate screen without cursor and autowrap, and reads keys one by one', async () => {
    const terminal = await start();
    const { buffer, modes } = terminal.emulator.terminal;
    expect(buffer.active.type).toBe('alternate');
    expect(modes).toMatchObject({ wraparoundMode: false, mouseTrackingMode: 'vt200' });
    expect(isCursorHidden(terminal)).toBe(true);
    terminal.pty.write('q');
    await terminal.says('keys 71');
    terminal.pty.write('\x03');
    await terminal.says('keys 03');
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGQUIT', 131],
  ] as const)('the terminal is restored after %s', async (signal, status) => {
    const terminal = await start();
    terminal.signal(signal);
    await expectEnd(terminal, status);
  });

  it.each([0, 3])('the terminal is restored on exit with %i', async (status) => {
    const terminal = await start();
    terminal.send(`exit ${status}`);
    await expectEnd(terminal, status);
  });

  it('the terminal is restored once, also when that was done early', async () => {
    const terminal = await start();
    terminal.send('restore');
    await terminal.says('restored');
    terminal.send('paint too late');
    terminal.send('exit 0');
    await expectEnd(terminal, 0);
    expect(terminal.raw).not.toContain('too late');
  });

  it.each(['throw', 'reject'])(
    'the stack of a bug is shown on the restored terminal: %s',
    async (how) => {
      const terminal = await start();
      terminal.send(`${how} this is a bug\x1b[2J`);
      await expectEnd(terminal, 1);
      expect(terminal.raw).toMatch(/\x1b\[\?1049l.*Error: this is a bug\?\[2J\r?\n\s+at /s);
    },
  );

  it('a file that cannot be read any more is named on the restored terminal, without a stack', async () => {
    const terminal = await start();
    // The kernel answers EIO where a process has no memory, as at address 0.
    terminal.send('read /proc/self/mem');
    await expectEnd(terminal, 1);
    const [, after = ''] = terminal.raw.split('\x1b[?1049l');
    expect(after).toContain('ioheat: cannot read /proc/self/mem: i/o error\r\n');
    expect(after).not.toMatch(/\s+at /);
  });

  it.each(['with', 'without'])(
    'the program ends when the terminal hangs up, %s SIGHUP',
    async (how) => {
      const terminal = await start();
      if (how === 'without') {
        terminal.send('deaf');
        await terminal.says('deaf');
      }
      (terminal.pty as unknown as { destroy: () => void }).destroy();
      await terminal.until(() => terminal.isGone);
    },
  );
});

describe('a program whose terminal is stalled', () => {
  it('with a stalled terminal, frames are skipped, and the latest shown when it reads again', async () => {
    const terminal = await start();
    terminal.pty.pause();
    terminal.send('flood');
    await terminal.says('skipped');
    terminal.send('paint the latest');
    terminal.pty.resume();
    await terminal.shows('the latest');
    expect(terminal.lines.join('').trim()).toBe('the latest');
  });

  it('with a stalled terminal, a signal ends the program', async () => {
    const terminal = await start();
    terminal.pty.pause();
    terminal.send('flood');
    await terminal.says('skipped');
    terminal.signal('SIGTERM');
    await terminal.until(() => terminal.isGone);
    terminal.pty.resume();
    await terminal.until(() => terminal.raw.includes('reported'));
    expect(terminal.raw).toMatch(/status=143/);
    expect(terminal.raw).toMatch(/\sicanon\s/);
  });

  it('a frame that was broken off does not swallow the sequences that restore the terminal', async () => {
    const terminal = await start();
    terminal.pty.pause();
    terminal.send('flood');
    await terminal.says('skipped');
    terminal.signal('SIGTERM');
    terminal.pty.resume();
    await terminal.shows('reported');
    expectRestored(terminal);
  });
});

describe('a program that is stopped', () => {
  const JOB = `set -m; $PAINTER; echo "stopped=$?"; stty -a; echo 'press enter'; read; fg${AND_REPORT}`;

  it.each(['SIGTSTP', 'Ctrl-Z'])(
    '%s restores the terminal, and resuming takes it again',
    async (how) => {
      const terminal = await start(JOB);
      if (how === 'SIGTSTP') terminal.signal(how);
      else terminal.send('suspend');
      await terminal.shows('press enter');
      expect(terminal.lines.join('\n')).toContain('stopped=148');
      expectRestored(terminal);
      terminal.pty.write('\n');
      await terminal.until(() => terminal.emulator.terminal.buffer.active.type === 'alternate');
      await terminal.shows('ready');
      expect(terminal.emulator.terminal.modes.wraparoundMode).toBe(false);
      terminal.pty.write('q');
      await terminal.says('keys 71');
      terminal.send('exit 0');
      await terminal.shows('reported');
      expect(terminal.lines.join('\n')).toContain('status=0');
      expectRestored(terminal);
    },
  );

  it('Ctrl-Z stops the whole job, so that the shell does not wait for another program of it', async () => {
    const terminal = await start(JOB.replace('$PAINTER', '($PAINTER; exit $?)'));
    terminal.send('suspend');
    await terminal.shows('press enter');
    expect(terminal.lines.join('\n')).toContain('stopped=148');
    expectRestored(terminal);
    terminal.pty.write('\n');
    await terminal.until(() => terminal.emulator.terminal.buffer.active.type === 'alternate');
    terminal.send('exit 0');
    await terminal.shows('reported');
    expect(terminal.lines.join('\n')).toContain('status=0');
  });

  it('after SIGSTOP and SIGCONT the program takes the terminal again', async () => {
    const terminal = await start(JOB.replaceAll('; stty -a', ''));
    terminal.signal('SIGSTOP');
    await terminal.shows('press enter');
    terminal.pty.write('\n');
    await terminal.until(() => terminal.lines.join('').trim() === 'ready');
    terminal.pty.write('\x1a');
    await terminal.says('keys 1a');
  });

  it('without a shell to resume it, the program goes on drawing after Ctrl-Z', async () => {
    const terminal = await start('exec $PAINTER');
    terminal.signal('SIGTSTP');
    await terminal.until(() => /\x1b\[\?1049l.*\x1b\[\?1049h/s.test(terminal.raw));
    terminal.send('paint still here');
    await terminal.shows('still here');
    expect(terminal.emulator.terminal.buffer.active.type).toBe('alternate');
  });
});
