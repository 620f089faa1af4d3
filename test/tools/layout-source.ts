import { crc32 } from 'node:zlib';
import { parseBtf, type Btf } from '../../src/kernel/abi/btf.ts';
import { elfSection } from './elf-section.ts';
import { must } from '../must.ts';

/** Of bpf/ioheat.h, in the order in which they are written. */
const STRUCTS = [
  'io_completion',
  'file_name',
  'inflight',
  'extent',
  'file_id',
  'via',
  'summary',
  'filter_list',
  'filter',
  'detail',
  'summary_device',
  'control',
  'counters',
  'target',
];
/** The union of bpf/ioheat.h whose members are all enums, each by its own name. */
const ENUMS = 'constants';

const HEAD = `/**
 * What the kernel programs and TypeScript share: offsets and sizes in bytes, lengths of arrays in elements.
 * Generated from the BTF of bpf/ioheat.bpf.o by \`make -C bpf\`; bpf/ioheat.h says what each name means.
 */

`;

/** The text of src/kernel/abi/layout.ts for an object file. */
export function layoutSource(object: Buffer): string {
  const btf = objectTypes(object);
  const enums = present(btf.members(ENUMS), ENUMS).map(({ name }) => enumSource(btf, name));
  const structs = STRUCTS.map((name) => structSource(btf, name));
  return HEAD + [checksumSource(object), ...structs, ...enums].join('\n');
}

function checksumSource(object: Buffer): string {
  return `/** CRC-32 of the object, so that a program never runs with one of another version. */
export const OBJECT_CRC32 = 0x${crc32(object).toString(16)};
`;
}

function objectTypes(object: Buffer): Btf {
  return must(parseBtf(present(elfSection(object, '.BTF'), '.BTF')));
}

function structSource(btf: Btf, name: string): string {
  const members = present(btf.members(name), name).filter(isUsed);
  const offsets = members.map((member) => [camelCase(member.name), member.offsetBits / 8] as const);
  const lengths = members.flatMap((member) =>
    member.length === undefined ? [] : [[camelCase(member.name), member.length] as const],
  );
  const bytes = present(btf.structBytes(name), name);
  return `export const ${pascalCase(name)} = {
  bytes: ${bytes},
  offsets: {
${properties(offsets, '    ')}  },
${lengths.length === 0 ? '' : `  lengths: {\n${properties(lengths, '    ')}  },\n`}} as const;
`;
}

/** Room to grow, and what only keeps types in the BTF, are nobody's to read. */
function isUsed({ name, length }: { name: string; length: number | undefined }): boolean {
  return name !== 'reserved' && length !== 0;
}

function enumSource(btf: Btf, name: string): string {
  const constants = present(btf.enumerators(name), name);
  const prefix = commonPrefix(constants.map(([constant]) => constant));
  const values = constants.map(
    ([constant, value]) => [camelCase(constant.slice(prefix.length)), value] as const,
  );
  return `export const ${pascalCase(name)} = {\n${properties(values, '  ')}} as const;\n`;
}

function properties(values: readonly (readonly [string, number])[], indent: string): string {
  return values.map(([name, value]) => `${indent}${name}: ${value},\n`).join('');
}

/** The words, each with its underscore, that all names start with. */
function commonPrefix(names: readonly string[]): string {
  const [first = '', ...others] = names;
  const prefixes = [...first.matchAll(/_/g)].map(({ index }) => first.slice(0, index + 1));
  return prefixes.findLast((prefix) => others.every((name) => name.startsWith(prefix))) ?? '';
}

function camelCase(name: string): string {
  return name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function pascalCase(name: string): string {
  const camel = camelCase(name);
  return camel.charAt(0).toUpperCase() + camel.slice(1);
}

function present<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`the object has no ${name}`);
  return value;
}
