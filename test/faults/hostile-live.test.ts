import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BACKGROUND_QUESTION } from '../../src/terminal/background.ts';
import { ensureBuilt, IOHEAT } from '../e2e/build.ts';
import { Key } from '../e2e/pty.ts';
import { RenamedDd } from '../e2e/support/renamed-dd.ts';
import { isWhole } from '../e2e/support/screens.ts';
import { useSessions } from '../e2e/support/sessions.ts';
import { needs } from '../needs.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { runScript } from './run.ts';

const MIB = 1 << 20;

/** C0 but for the end of a line, DEL, C1, what turns the direction of text, what has no width. */
const HARMFUL = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;

/** Sequences that move, colour, clear and shift, modes: all that the program has to say. */
const OWN_SEQUENCES = /\x1b\[[?>]?[\d;]*[ABCDGHJKPXdhlmrqu@$pcntS]|\x1b[78=>]|[\r\n\b]/g;

/** As a path or a name may be. */
const HOSTILE = '\x1b]0;owned\x07\u009b31m\u202egnp\u2066\u200b\n"`$(id)\'=1+1';
const COMMS = ['\x1b]0;own\x07', '\u009b33mcsi', 'a\r\nb\x7fc', '\u202egnp', 'plain'];

let folder: string;
let disk: LoopDevice;
let programs: RenamedDd;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ioheat-hostile-'));
  disk = LoopDevice.create({ bytes: 4 * MIB, suffix: Buffer.from(HOSTILE) });
  programs = new RenamedDd(COMMS.map((name) => Buffer.from(name)));
});
afterEach(() => {
  programs.dispose();
  disk.dispose();
  rmSync(folder, { recursive: true });
});

const { ioheat, bash } = useSessions();

describe('hostile names in a live trace', needs('tracing'), () => {
  test('traced hostile names do nothing to lists, prompts or notices', async () => {
    const session = ioheat(['--disk', disk.name], { columns: 160, rows: 50 });
    await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
    await programs.read(disk.path, 50);
    await session.waitFor(/\?33mcsi/);
    // The lists of processes and disks, each with a choice made and undone, which shows a notice.
    const lists = ['p', '\r', 'p', '\r', 'd', '\r', 'd', Key.escape];
    const others = ['G', 'G', 'C', Key.escape, 'f', 'own', '\r', '/', 'comm=', '\t', Key.escape];
    const looks = ['!', 'v', '\r', Key.escape, Key.escape, '?', Key.escape];
    for (const keys of [...lists, ...others, ...looks]) {
      session.type(keys);
      await session.waitUntil(() => isWhole(session), `waiting for the frame after ${keys}`);
    }
    session.type('p');
    await session.waitFor(/\?gnp/);
    expect(session.output.replace(BACKGROUND_QUESTION, '').replace(OWN_SEQUENCES, '')).not.toMatch(
      HARMFUL,
    );
  });

  test('recording hostile names, into a file with one, does nothing to the terminal', async () => {
    const name = `${HOSTILE.replaceAll('/', '')}.ioheat`;
    const session = bash(
      `cd '${folder}'; $IOHEAT record "$NAME" --duration 3s --disk ${disk.name}; echo over $?; read`,
      { columns: 200, env: { NAME: name } },
    );
    await session.waitFor(/I\/Os .* lost/);
    await programs.read(disk.path, 50);
    await session.waitFor('over 0');
    expect(readdirSync(folder)).toContain(name);
    expect(session.output.replace(BACKGROUND_QUESTION, '').replace(OWN_SEQUENCES, '')).not.toMatch(
      HARMFUL,
    );
  });

  test('painting on a disk with a hostile name does nothing to the terminal', async () => {
    const path = join(folder, HOSTILE);
    symlinkSync(disk.path, path);
    const script = '$IOHEAT paint I --interval 100ms --target "$TARGET"';
    const painted = await runScript(script, undefined, { TARGET: path });
    expect(painted.status).toBe(0);
    expect(painted.stderr).toContain('painting "I"');
    const refused = await runScript(script, undefined, { TARGET: `${folder}/no/${HOSTILE}` });
    expect(refused.status).toBe(1);
    for (const { stdout, stderr } of [painted, refused]) {
      expect(stdout).not.toMatch(HARMFUL);
      expect(stderr).not.toMatch(HARMFUL);
    }
  });
});

const DOCTOR =
  'doctor in a folder with a hostile name, run by a user with one, prints nothing that acts on a terminal';

test(DOCTOR, needs('tracing'), async () => {
  ensureBuilt();
  const root = dirname(dirname(IOHEAT));
  const place = join(folder, HOSTILE.replaceAll('/', ''));
  mkdirSync(place);
  for (const part of ['bin', 'dist', 'bpf', 'package.json'])
    cpSync(join(root, part), join(place, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
  const env = { PLACE: place, SUDO_USER: HOSTILE, LOGNAME: HOSTILE, HOME: place };
  const doctor = 'node "$PLACE/bin/ioheat" doctor';
  const asNobody = `chmod -R a+rX "$PLACE/.." && setpriv --reuid=65534 --regid=65534 --clear-groups ${doctor}`;
  const users = process.geteuid?.() === 0 ? [doctor, asNobody] : [doctor];
  for (const script of [...users, `${doctor} --json`]) {
    const { status, stdout, stderr } = await runScript(script, undefined, env);
    expect([0, 3]).toContain(status);
    expect(stdout.length).toBeGreaterThan(100);
    expect(stdout).not.toMatch(HARMFUL);
    expect(stderr).not.toMatch(HARMFUL);
  }
});
