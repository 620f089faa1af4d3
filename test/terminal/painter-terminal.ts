import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type IPty, spawn } from '@lydell/node-pty';
import { rolldown } from 'rolldown';
import { Emulator } from './emulator.ts';

const COLUMNS = 80;
const ROWS = 30;

/** Bundles the painter, since Node does not run TypeScript; returns the folder to remove afterwards. */
export async function buildPainter(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'painter-'));
  const input = join(import.meta.dirname, 'fixtures/painter.ts');
  const bundle = await rolldown({ input, platform: 'node' });
  await bundle.write({ file: join(folder, 'painter.mjs'), format: 'esm' });
  return folder;
}

/**
 * The painter in a real pseudo-terminal, started by a shell script in which `$PAINTER` runs it.
 * Everything is waited for by watching what comes: no time passes unless something is still missing.
 */
export class PainterTerminal {
  readonly emulator = new Emulator(COLUMNS, ROWS);
  /** Everything that was written to the terminal. */
  raw = '';
  readonly answers: string[] = [];
  /** The painter's connection has ended, so the painter has. */
  isGone = false;
  private socket: Socket | undefined;
  private readonly watchers = new Set<() => void>();

  private constructor(
    readonly pty: IPty,
    private readonly server: Server,
  ) {
    server.once('connection', (socket) => {
      this.connect(socket);
    });
    pty.onData((data) => {
      this.raw += data;
      this.emulator.terminal.write(data, () => {
        this.changed();
      });
    });
  }

  static async start(folder: string, script: string): Promise<PainterTerminal> {
    const control = join(folder, `control-${process.hrtime.bigint()}`);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(control, resolve));
    const painter = `'${process.execPath}' '${join(folder, 'painter.mjs')}'`;
    const pty = spawn('bash', ['--norc', '-c', script.replaceAll('$PAINTER', painter)], {
      name: 'xterm-256color',
      cols: COLUMNS,
      rows: ROWS,
      env: { ...process.env, CONTROL: control },
    });
    return new PainterTerminal(pty, server);
  }

  send(command: string): void {
    this.socket!.write(`${command}\n`);
  }

  signal(name: NodeJS.Signals): void {
    process.kill(this.painterPid, name);
  }

  get painterPid(): number {
    const line = this.answers.find((answer) => answer.startsWith('pid '));
    return Number(line?.slice('pid '.length));
  }

  get lines(): string[] {
    return this.emulator.screen();
  }

  async shows(text: string): Promise<void> {
    await this.until(() => this.lines.join('\n').includes(text));
  }

  async says(text: string): Promise<void> {
    await this.until(() => this.answers.includes(text));
  }

  async until(isTrue: () => boolean): Promise<void> {
    if (isTrue()) return;
    await new Promise<void>((resolve) => {
      const watcher = (): void => {
        if (!isTrue()) return;
        this.watchers.delete(watcher);
        resolve();
      };
      this.watchers.add(watcher);
    });
  }

  dispose(): void {
    this.pty.kill('SIGKILL');
    this.socket?.destroy();
    this.server.close();
  }

  private connect(socket: Socket): void {
    this.socket = socket;
    // A painter that was killed resets the connection.
    socket.on('error', () => {
      this.isGone = true;
    });
    socket.on('close', () => {
      this.isGone = true;
      this.changed();
    });
    createInterface(socket).on('line', (line) => {
      this.answers.push(line);
      this.changed();
    });
  }

  private changed(): void {
    for (const watcher of [...this.watchers]) watcher();
  }
}

/** Removes what `buildPainter` made. */
export async function removePainter(folder: string): Promise<void> {
  await rm(folder, { recursive: true });
}
