import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Another trace of the kernel's, for comparison: of some of its events, in a buffer of its own. */
export class Ftrace {
  private readonly mount: string;
  private readonly instance: string;

  /** `events`: with what each must match, by name, such as `sched/sched_switch`; empty for all. */
  constructor(events: Readonly<Record<string, string>>) {
    this.mount = mkdtempSync(join(tmpdir(), 'ioheat-tracefs-'));
    execFileSync('mount', ['-t', 'tracefs', 'tracefs', this.mount]);
    this.instance = join(this.mount, 'instances', `ioheat-${process.pid}`);
    mkdirSync(this.instance);
    this.write('trace_clock', 'mono');
    this.write('buffer_size_kb', '16384');
    for (const [event, filter] of Object.entries(events)) {
      if (filter !== '') this.write(`events/${event}/filter`, filter);
      this.write(`events/${event}/enable`, '1');
    }
  }

  private write(file: string, value: string): void {
    writeFileSync(join(this.instance, file), value);
  }

  /** Ends the trace. Throws if ftrace lost any event. */
  read(): string {
    this.write('tracing_on', '0');
    const text = readFileSync(join(this.instance, 'trace'), 'utf8');
    if (text.includes('LOST')) throw new Error('ftrace lost events');
    return text;
  }

  dispose(): void {
    rmdirSync(this.instance);
    execFileSync('umount', [this.mount]);
    rmdirSync(this.mount);
  }
}
