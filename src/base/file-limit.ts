/** Why a file cannot be opened where a process, or the machine, has as many open as it may. */
const WHY: Readonly<Record<string, string>> = {
  EMFILE: 'too many open files',
  ENFILE: 'too many open files on this machine',
};

const REMEDY: Readonly<Record<string, string>> = {
  EMFILE: 'raise the limit: ulimit -n 1024',
  ENFILE: 'raise the limit: sysctl fs.file-max',
};

/** What to say of an error by its symbolic errno; undefined for any other error. */
export function explainFileLimit(code: unknown): { why: string; remedy: string } | undefined {
  const [why, remedy] = [WHY[String(code)], REMEDY[String(code)]];
  return why === undefined || remedy === undefined ? undefined : { why, remedy };
}

/** The symbolic errno of what was thrown, if it is that of a system call. */
export function errnoName(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : undefined;
}
