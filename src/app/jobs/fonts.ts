import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const FILES = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'];

/** The font files of pictures: next to the built program, or in the package that they come from. */
export function fontFiles(): string[] {
  return FILES.map((name) => {
    const beside = fileURLToPath(new URL(`./fonts/${name}`, import.meta.url));
    if (existsSync(beside)) return beside;
    return createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}`);
  });
}
