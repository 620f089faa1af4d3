import { parseArgs } from './args.ts';
import { openDemo } from './demo-source.ts';
import { frameOnce } from './once.ts';

const parsed = await parseArgs(process.argv.slice(2), '0.1.0');
if (!parsed.ok) throw new Error(parsed.error.what);
if ('options' in parsed.value) {
  const { options } = parsed.value;
  const demo = openDemo(options);
  const text = await frameOnce(
    demo,
    {},
    options,
    {
      width: options.columns ?? 80,
      height: options.rows ?? 24,
      color: options.color === 'always',
      unicode: true,
    },
    options.durationNs,
  );
  process.stdout.write(text);
}
