import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { SessionFiles } from '../../../src/app/jobs/session-files.ts';
import type { FilesHost } from '../../../src/app/jobs/session-files.ts';
import { homeFolder } from '../../../src/base/home-folder.ts';
import type { ProgramAction } from '../../../src/view/action.ts';

/** What the prompt says after Enter on a name. */
async function answerTo(
  typed: string,
  type: 'saveHistory' | 'startRecording' | 'exportView',
  columns = 80,
): Promise<ProgramAction[]> {
  const answers: ProgramAction[] = [];
  const host = {
    view: () => ({ prompt: { line: { text: typed } }, frozenAtNs: 1 }),
    picture: () => ({ columns }),
    dispatch: (action: ProgramAction) => answers.push(action),
  };
  await new SessionFiles(host as unknown as FilesHost).carryOut(type);
  return answers;
}

test.each(['saveHistory', 'startRecording'] as const)(
  'without a name, %s asks for one, and no file is written',
  async (effect) => {
    const message = 'type the name of a file';
    expect(await answerTo('  ', effect)).toEqual([{ type: 'promptFailed', message }]);
  },
);

test('a name in ~/ is in the home directory, as in a shell', async () => {
  const [answer] = await answerTo('~/not-there/io.ioheat', 'saveHistory');
  expect(answer).toEqual({
    type: 'promptFailed',
    message: `cannot create ${homeFolder()}/not-there/io.ioheat: no such directory`,
  });
});

test.each(['saveHistory', 'exportView'] as const)(
  'in a terminal that is too small for a picture, %s asks for a larger one',
  async (effect) => {
    const message = 'enlarge the terminal to see the picture';
    const path = `${tmpdir()}/of-nothing.${effect === 'exportView' ? 'png' : 'ioheat'}`;
    expect(await answerTo(path, effect, 0)).toEqual([{ type: 'promptFailed', message }]);
    expect(existsSync(path)).toBe(false);
  },
);
