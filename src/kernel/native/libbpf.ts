import koffi from 'koffi';
import { err, ExitCode, ok, type Result } from '../../base/result.ts';
import { checkErrno, type SyscallError } from './syscalls.ts';

/** A `struct bpf_object *` and the like; 0 is NULL. */
export type Pointer = bigint;

/** The functions of libbpf that ioheat uses; every release since 0.5 exports them. */
export interface Libbpf {
  /** File name of the library that was found. */
  readonly name: string;
  /** `searchesModules`: whether types that the kernel itself lacks are searched for in its modules. */
  open(image: Buffer, searchesModules: boolean): Result<Pointer, SyscallError>;
  load(object: Pointer): Result<number, SyscallError>;
  close(object: Pointer): void;
  findProgram(object: Pointer, name: string): Pointer;
  findMap(object: Pointer, name: string): Pointer;
  setAutoload(program: Pointer, on: boolean): Result<number, SyscallError>;
  setMaxEntries(map: Pointer, entries: number): Result<number, SyscallError>;
  setInitialValue(map: Pointer, value: Buffer): Result<number, SyscallError>;
  attach(program: Pointer): Result<Pointer, SyscallError>;
  destroyLink(link: Pointer): void;
  mapFd(map: Pointer): number;
  programFd(program: Pointer): number;
  linkFd(link: Pointer): number;
  /** Recent messages of libbpf, oldest first, including those of the verifier. */
  log(): readonly string[];
  /** Removes the log callback; libbpf must not be used afterwards. */
  dispose(): void;
}

const LOG_LINES = 400;
/** Two thousand lines per load, useful only to libbpf's authors. */
const LEVEL_DEBUG = 2;
/** The verifier's log comes as one message, with its reason at the end. */
const LINE_BYTES = 4 << 20;

/** Newest first. In strict mode, releases before 1.0 behave the same. */
const LIBRARIES = ['libbpf.so.1', 'libbpf.so.0'];

export function openLibbpf(libraries: readonly string[] = LIBRARIES): Result<Libbpf> {
  const failures: string[] = [];
  for (const name of libraries) {
    try {
      return ok(bindLibbpf(name, koffi.load(name)));
    } catch (cause) {
      if (!(cause instanceof Error)) throw cause;
      failures.push(cause.message);
    }
  }
  return err({
    exitCode: ExitCode.cannotTrace,
    what: 'cannot load libbpf',
    why: failures.join('; '),
    remedy: 'install the package libbpf1 (Debian, Ubuntu) or libbpf (Fedora, RHEL, Arch, Alpine)',
  });
}

type Library = ReturnType<typeof koffi.load>;

function bindLibbpf(name: string, library: Library): Libbpf {
  const f = declare(library);
  const logger = captureLog(f.setPrint);
  // Before 1.0, without this, errors are pointers with small values instead of NULL and errno.
  f.setStrictMode(0xffff_ffff);
  return {
    name,
    open: (image, searchesModules) => {
      const options = openOptions(searchesModules);
      return checkPointer('bpf_object__open_mem', f.open(image, image.length, options));
    },
    load: (object) => checkErrno('bpf_object__load', f.load(object)),
    close: f.close,
    findProgram: (object, program) => f.findProgram(object, program) ?? 0n,
    // Before 0.6, a map that is a section is only found under a name prefixed with that of the object.
    findMap: (object, map) => f.findMap(object, map) ?? f.findMap(object, `ioheat${map}`) ?? 0n,
    setAutoload: (program, on) =>
      checkErrno('bpf_program__set_autoload', f.setAutoload(program, on)),
    setMaxEntries: (map, entries) =>
      checkErrno('bpf_map__set_max_entries', f.setMaxEntries(map, entries)),
    setInitialValue: (map, value) =>
      checkErrno('bpf_map__set_initial_value', f.setInitialValue(map, value, value.length)),
    attach: (program) => checkPointer('bpf_program__attach', f.attach(program)),
    destroyLink: f.destroyLink,
    mapFd: f.mapFd,
    programFd: f.programFd,
    linkFd: f.linkFd,
    log: logger.lines,
    dispose: logger.dispose,
  };
}

/** `libbpf_print_fn_t` with its `va_list` as the pointer it arrives as. */
const PRINTER = koffi.proto('int libbpf_print_fn_t(int level, void *format, void *arguments)');

const OBJECT_NAME = Buffer.from('ioheat\0');
const KERNEL_TYPES = Buffer.from('/sys/kernel/btf/vmlinux\0');

const OPTIONS_BYTES = 56;

/**
 * `struct bpf_object_open_opts` of tools/lib/bpf/libbpf.h up to `btf_custom_path`. `object_name` prefixes the names
 * of maps that libbpf creates; with a path to types, libbpf searches nothing else.
 */
function openOptions(searchesModules: boolean): Buffer {
  const options = Buffer.alloc(OPTIONS_BYTES);
  options.writeBigUInt64LE(BigInt(OPTIONS_BYTES), 0);
  options.writeBigUInt64LE(koffi.address(OBJECT_NAME), 8);
  if (!searchesModules) options.writeBigUInt64LE(koffi.address(KERNEL_TYPES), 48);
  return options;
}

interface Functions {
  readonly setPrint: (callback: Pointer | null) => void;
  readonly setStrictMode: (mode: number) => number;
  readonly open: (image: Buffer, bytes: number, options: Buffer) => Pointer | null;
  readonly load: (object: Pointer) => number;
  readonly close: (object: Pointer) => void;
  readonly findProgram: (object: Pointer, name: string) => Pointer | null;
  readonly findMap: (object: Pointer, name: string) => Pointer | null;
  readonly setAutoload: (program: Pointer, on: boolean) => number;
  readonly setMaxEntries: (map: Pointer, entries: number) => number;
  readonly setInitialValue: (map: Pointer, value: Buffer, bytes: number) => number;
  readonly attach: (program: Pointer) => Pointer | null;
  readonly destroyLink: (link: Pointer) => void;
  readonly mapFd: (map: Pointer) => number;
  readonly programFd: (program: Pointer) => number;
  readonly linkFd: (link: Pointer) => number;
}

function declare(library: Library): Functions {
  const functions = {
    setPrint: library.func('void *libbpf_set_print(void *callback)'),
    setStrictMode: library.func('int libbpf_set_strict_mode(uint32_t mode)'),
    open: library.func('void *bpf_object__open_mem(const void *image, size_t size, void *options)'),
    load: library.func('int bpf_object__load(void *object)'),
    close: library.func('void bpf_object__close(void *object)'),
    findProgram: library.func(
      'void *bpf_object__find_program_by_name(void *object, const char *name)',
    ),
    findMap: library.func('void *bpf_object__find_map_by_name(void *object, const char *name)'),
    setAutoload: library.func('int bpf_program__set_autoload(void *program, bool on)'),
    setMaxEntries: library.func('int bpf_map__set_max_entries(void *map, uint32_t entries)'),
    setInitialValue: library.func(
      'int bpf_map__set_initial_value(void *map, const void *value, size_t size)',
    ),
    attach: library.func('void *bpf_program__attach(void *program)'),
    destroyLink: library.func('int bpf_link__destroy(void *link)'),
    mapFd: library.func('int bpf_map__fd(void *map)'),
    programFd: library.func('int bpf_program__fd(void *program)'),
    linkFd: library.func('int bpf_link__fd(void *link)'),
  };
  return functions;
}

function checkPointer(call: string, pointer: Pointer | null): Result<Pointer, SyscallError> {
  if (pointer !== null && pointer !== 0n) return ok(pointer);
  const failed = checkErrno(call, -1);
  return failed.ok ? ok(0n) : failed;
}

/**
 * libbpf prints through a callback that takes a `va_list`. On x86-64 and arm64 it arrives as a pointer, which is
 * passed to vsnprintf unchanged.
 */
function captureLog(setPrint: Functions['setPrint']) {
  const vsnprintf = koffi
    .load(null)
    .func('int vsnprintf(void *line, size_t size, void *format, void *arguments)');
  const line = Buffer.alloc(LINE_BYTES);
  const lines: string[] = [];
  const callback = koffi.register((level: number, format: Pointer, args: Pointer): number => {
    if (level >= LEVEL_DEBUG) return 0;
    vsnprintf(line, line.length, format, args);
    const text = line.toString('utf8', 0, line.indexOf(0)).trimEnd();
    lines.push(...text.split('\n'));
    lines.splice(0, lines.length - LOG_LINES);
    return 0;
  }, koffi.pointer(PRINTER));
  setPrint(callback);
  return {
    lines: (): readonly string[] => lines,
    dispose: (): void => {
      setPrint(null);
      koffi.unregister(callback);
    },
  };
}
