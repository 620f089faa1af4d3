import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PrivateMode } from '../../terminal/emulator.ts';
import type { PtySession } from '../../e2e/pty.ts';
import type { Sessions } from '../../e2e/support/sessions.ts';
import { until } from '../../until.ts';

/** A way to record. */
export interface Recorder {
  readonly name: string;
  /** Words behind `ioheat`; FILE stands for the file. */
  readonly args: string;
  readonly hasScreen: boolean;
  /** Recorded by the key `R`. */
  readonly byKey?: boolean;
  readonly isPiped?: boolean;
}

export const RECORDERS: readonly Recorder[] = [
  { name: 'live --write', args: '--write FILE', hasScreen: true },
  { name: 'live and R', args: '', hasScreen: true, byKey: true },
  { name: 'record', args: 'record FILE', hasScreen: false },
  { name: 'record --rotate', args: 'record FILE --rotate 1s', hasScreen: false },
  { name: 'record --summary', args: 'record FILE --summary', hasScreen: false },
  { name: 'demo --write', args: 'demo --write FILE', hasScreen: true },
  { name: 'record into a pipe', args: 'record -', hasScreen: false, isPiped: true },
];

const ROOM_BYTES = 48 << 10;
const CLEAR_LINE = '\x15';

/** The program in a terminal, recording in a folder of its own, until it is made to end. */
export class EndedRun {
  readonly folder = mkdtempSync(join(tmpdir(), 'ioheat-ends-'));
  readonly files = join(this.folder, 'files');
  session!: PtySession;
  pid = 0;

  private constructor(
    readonly recorder: Recorder,
    private readonly isFull: boolean,
  ) {}

  /** Returns when it records. */
  static async start(
    recorder: Recorder,
    bash: Sessions['bash'],
    { isFull = false, isDeaf = false }: { isFull?: boolean; isDeaf?: boolean } = {},
  ): Promise<EndedRun> {
    const run = new EndedRun(recorder, isFull);
    try {
      await run.open(bash, isDeaf);
      return run;
    } catch (cause) {
      run.dispose();
      throw cause;
    }
  }

  private async open(bash: Sessions['bash'], isDeaf: boolean): Promise<void> {
    const { recorder, isFull } = this;
    mkdirSync(this.files);
    if (isFull)
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${ROOM_BYTES}`, 'tmpfs', this.files]);
    const file = join(this.files, 'io.ioheat');
    const into = recorder.isPiped === true ? `> >(trap '' HUP INT; exec cat > ${file})` : '';
    const script = `ulimit -c unlimited; trap '${isDeaf ? '' : ':'}' HUP
      $IOHEAT ${recorder.args.replace('FILE', file)} ${into}
      echo $? > ../status; echo ended; read`;
    this.session = bash(script, { cwd: this.files, columns: 120, rows: 30 });
    await this.begin(file);
  }

  private async begin(file: string): Promise<void> {
    const { session, recorder } = this;
    // The end of a frame, whatever was lost by then.
    if (recorder.hasScreen) await session.waitFor(/ lost \d/);
    if (recorder.byKey === true) session.type(`R${CLEAR_LINE}${file}\r`);
    await until(() => this.recordings().some((path) => statSync(path).size > 0), 'a recording');
    this.pid = programOf(session.pid);
  }

  /** The oldest first. */
  recordings(): string[] {
    const names = readdirSync(this.files).filter((name) => name.endsWith('.ioheat'));
    return names.sort().map((name) => join(this.files, name));
  }

  /** The file that is written to now is removed; `by`: something else gets its name. Returns that. */
  takeFileAway(by?: string): string {
    const path = this.recordings().at(-1)!;
    if (by === undefined) {
      rmSync(path);
    } else {
      writeFileSync(`${path}.new`, by);
      renameSync(`${path}.new`, path);
    }
    return path;
  }

  /** The exit code, as the shell saw it. */
  async status(): Promise<number> {
    const path = join(this.folder, 'status');
    await until(() => existsSync(path) && statSync(path).size > 0, 'the end');
    return Number(readFileSync(path, 'utf8'));
  }

  cores(): string[] {
    return readdirSync(this.files).filter((name) => name.startsWith('core'));
  }

  /** Modes of the terminal that are not as a shell expects them. */
  leftModes(): string[] {
    const { cursorVisible, autowrap, alternateScreen, mouseButtons, mouseMotion } = PrivateMode;
    const isSet = (mode: number): boolean => this.session.emulator.isModeSet(mode);
    return [
      ...(isSet(cursorVisible) ? [] : ['no cursor']),
      ...(isSet(autowrap) ? [] : ['no autowrap']),
      ...(isSet(alternateScreen) ? ['alternate screen'] : []),
      ...([mouseButtons, mouseMotion].some(isSet) ? ['mouse'] : []),
    ];
  }

  dispose(): void {
    if (this.isFull) execFileSync('umount', ['--lazy', this.files]);
    rmSync(this.folder, { recursive: true });
  }
}

/** The only child of a shell that is Node. */
function programOf(shell: number): number {
  const children = readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').trim().split(' ');
  const found = children.find((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('ioheat'),
  );
  if (found === undefined) throw new Error(`${shell} has no program`);
  return Number(found);
}
