import { describe, expect, it } from 'vitest';
import { parseArgs } from '../../src/cli/args.ts';
import { bareCommand } from '../../src/cli/bare-command.ts';
import { DEFAULT_PATTERN } from '../../src/trace/synthetic/patterns.ts';

describe('a command without options', () => {
  it.each([[[]], [['live']], [['demo']]])(
    'the short cut for a command without options gives what the parser gives: %j',
    async (argv) => {
      const bare = bareCommand(argv);
      const parsed = await parseArgs(argv, '1.2.3');
      if (bare?.ok !== true || !parsed.ok || !('options' in parsed.value))
        throw new Error('refused');
      const { options } = parsed.value;
      const pattern = options.command === 'demo' ? DEFAULT_PATTERN : undefined;
      expect({ ...bare.value, pattern }).toEqual(options);
    },
  );

  it.each([
    [['doctor']],
    [['demo', 'storm']],
    [['--help']],
    [['']],
    [['demo', '']],
    [['constructor']],
  ])('the short cut for a command without options leaves %j to the parser', (argv) => {
    expect(bareCommand(argv)).toBeUndefined();
  });
});
