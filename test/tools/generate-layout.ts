import { readFileSync } from 'node:fs';
import { layoutSource } from './layout-source.ts';

const [object] = process.argv.slice(2);
if (object === undefined) throw new Error('usage: generate-layout OBJECT');
process.stdout.write(layoutSource(readFileSync(object)));
