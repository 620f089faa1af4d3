import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLibbpf } from '../../src/kernel/native/libbpf.ts';
import {
  duplicateFd,
  mapMemory,
  wholePages,
  type Mapping,
} from '../../src/kernel/native/mapping.ts';
import { must } from '../must.ts';

const SOURCE = join(import.meta.dirname, 'address-witness.bpf.c');
const TYPES = join(import.meta.dirname, '../../bpf');
/** `struct seen` of the source. */
const ROOM = 1024;
const SEEN_BYTES = 8 * (1 + 2 * ROOM);

/** The kernel's own addresses of what a disk does, by a program of its own: only root may know them. */
export class AddressWitness {
  private readonly words: BigUint64Array;

  private constructor(
    private readonly link: number,
    private readonly mapping: Mapping,
  ) {
    this.words = new BigUint64Array(mapping.buffer, 0, SEEN_BYTES / 8);
  }

  static start(dev: number): AddressWitness {
    const bpf = must(openLibbpf());
    const object = must(bpf.open(compile(), true));
    try {
      const disk = Buffer.from(Uint32Array.of(dev).buffer);
      must(bpf.setInitialValue(bpf.findMap(object, '.rodata'), disk));
      must(bpf.load(object));
      const fd = bpf.mapFd(bpf.findMap(object, 'witnessed'));
      const mapping = must(mapMemory({ fd, bytes: wholePages(SEEN_BYTES), writable: false }));
      const link = must(bpf.attach(bpf.findProgram(object, 'on_issue')));
      const kept = must(duplicateFd(bpf.linkFd(link)));
      bpf.destroyLink(link);
      return new AddressWitness(kept, mapping);
    } finally {
      bpf.close(object);
      bpf.dispose();
    }
  }

  /** Of the requests that were issued so far, and of their bios. */
  requests(): bigint[] {
    return this.column(1);
  }

  bios(): bigint[] {
    return this.column(2);
  }

  private column(at: number): bigint[] {
    const count = Math.min(Number(this.words[0]), ROOM);
    const stored = Array.from({ length: count }, (_, index) => this.words[2 * index + at]!);
    // A place is taken before the address is in it.
    return stored.filter((address) => address !== 0n);
  }

  dispose(): void {
    closeSync(this.link);
    this.mapping.dispose();
  }
}

function compile(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'ioheat-witness-'));
  try {
    const object = join(folder, 'witness.o');
    const flags = ['-target', 'bpf', '-mcpu=v3', '-O2', '-g', `-I${TYPES}`];
    execFileSync('clang-14', [...flags, '-c', SOURCE, '-o', object]);
    return readFileSync(object);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
