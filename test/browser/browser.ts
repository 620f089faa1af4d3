import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** What a page shows at one moment. */
type Json = Readonly<Record<string, unknown>>;

interface Reply {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Json;
  readonly result?: Json;
  readonly error?: { readonly message: string };
}

/**
 * A headless Chromium, driven by its own protocol through a pipe: no port, no driver. Messages are JSON,
 * each ended by a zero byte.
 */
export class Browser {
  /** Addresses that the page asked for, in order. */
  readonly requests: string[] = [];
  private readonly folder = mkdtempSync(join(tmpdir(), 'ioheat-browser-'));
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, (reply: Reply) => void>();
  private readonly events = new Map<string, () => void>();
  private text = '';
  private lastId = 0;
  private session: string | undefined;

  /** `flags`: further flags of Chromium. */
  constructor(program: string, flags: readonly string[] = []) {
    const sandbox = process.geteuid?.() === 0 ? ['--no-sandbox'] : [];
    const own = ['--headless=new', '--remote-debugging-pipe', `--user-data-dir=${this.folder}`];
    const quiet = ['--no-first-run', '--disable-gpu', '--hide-scrollbars', '--disable-extensions'];
    this.child = spawn(program, [...own, ...quiet, ...sandbox, ...flags, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    (this.child.stdio[4] as Readable).setEncoding('utf8').on('data', (data: string) => {
      this.take(data);
    });
  }

  /** Opens a page, and resolves when it is loaded. */
  async open(url: string, scheme: 'light' | 'dark'): Promise<void> {
    const { targetId } = await this.call('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.call('Target.attachToTarget', { targetId, flatten: true });
    this.session = String(sessionId);
    await this.call('Page.enable');
    await this.call('Network.enable');
    const features = [{ name: 'prefers-color-scheme', value: scheme }];
    await this.call('Emulation.setEmulatedMedia', { features });
    const size = { width: 1600, height: 1000, deviceScaleFactor: 1, mobile: false };
    await this.call('Emulation.setDeviceMetricsOverride', size);
    const loaded = new Promise<void>((resolve) => this.events.set('Page.loadEventFired', resolve));
    await this.call('Page.navigate', { url });
    await loaded;
  }

  /** The value of an expression in the page; promises are awaited. */
  async evaluate(expression: string): Promise<unknown> {
    const asked = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.call('Runtime.evaluate', asked);
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return (result as { readonly value?: unknown }).value;
  }

  /** Moves the pointer, in pixels of the window. */
  async point(x: number, y: number): Promise<void> {
    await this.call('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
  }

  /** The window as a PNG. */
  async screenshot(): Promise<Buffer> {
    const { data } = await this.call('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(String(data), 'base64');
  }

  async close(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.session = undefined;
    await this.call('Browser.close');
    await exited;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private async call(method: string, params: Json = {}): Promise<Json> {
    const id = ++this.lastId;
    const replied = new Promise<Reply>((resolve) => this.waiting.set(id, resolve));
    const session = this.session === undefined ? {} : { sessionId: this.session };
    const message = JSON.stringify({ id, method, params, ...session });
    (this.child.stdio[3] as Writable).write(`${message}\0`);
    const { result, error } = await replied;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  }

  private take(data: string): void {
    const messages = (this.text + data).split('\0');
    this.text = messages.pop() ?? '';
    for (const message of messages) this.notice(JSON.parse(message) as Reply);
  }

  private notice(reply: Reply): void {
    const { id, method = '', params = {} } = reply;
    if (id !== undefined) this.waiting.get(id)?.(reply);
    this.events.get(method)?.();
    if (method !== 'Network.requestWillBeSent') return;
    this.requests.push((params['request'] as { readonly url: string }).url);
  }
}
