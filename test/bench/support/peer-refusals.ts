import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { release } from 'node:os';
import type { LoopDevice } from '../../load/loop-device.ts';
import { runFio } from './fio.ts';
import { table } from './output.ts';
import { CANDIDATES, withTracefs } from './peer-tools.ts';

const SECONDS = 6;
const REASON =
  /not permitted|no such file|unable to find|can't|couldn't attach|failed|not traceable|did not/i;
/** Said about a limit that does not matter where memory of BPF is counted otherwise. */
const HARMLESS = /RLIMIT_MEMLOCK|ulimit/;
const LONGEST = 110;

interface Attempt {
  readonly lines: readonly string[];
  readonly ended: boolean;
}

/** Under a little load, so that a tool that runs has something to tell. */
async function attempt(command: readonly string[], disk: LoopDevice): Promise<Attempt> {
  const [file = '', ...args] = withTracefs(
    command.map((word) => (word === 'DISK' ? disk.path : word)),
  );
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  let ended = false;
  const closed = new Promise<void>((resolve, reject) => {
    child.on('error', reject).on('close', () => {
      ended = true;
      resolve();
    });
  });
  await runFio(disk, { seconds: SECONDS, perSecond: 100 });
  const endedAlone = ended as boolean;
  child.kill('SIGINT');
  const killing = setTimeout(() => child.kill('SIGKILL'), 3000);
  await closed;
  clearTimeout(killing);
  return { lines: Buffer.concat(chunks).toString('latin1').split('\n'), ended: endedAlone };
}

/** Tools that people use for the same and that may not run on this kernel, in their own words. */
export async function refusals(disk: LoopDevice): Promise<void> {
  const rows: string[][] = [];
  for (const [name, command] of CANDIDATES) {
    if (!existsSync(command[0]!)) {
      rows.push([name, 'not installed']);
      continue;
    }
    const { lines, ended } = await attempt(command, disk);
    const reason = lines.find((line) => REASON.test(line) && !HARMLESS.test(line));
    const said = (reason ?? '').trim().replaceAll(release(), 'VERSION').replaceAll('|', '\\|');
    if (reason === undefined) rows.push([name, ended ? 'ended by itself' : 'runs']);
    else rows.push([name, said.slice(0, LONGEST)]);
  }
  table(['Tool', 'what it says'], rows);
}
