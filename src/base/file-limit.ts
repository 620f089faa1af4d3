/** Causes when the limit of open files of the process or the machine is reached. */
const WHY: Readonly<Record<string, string>> = {
  EMFILE: 'too many open files',
  ENFILE: 'too many open files on this machine',
};

const REMEDY: Readonly<Record<string, string>> = {
  EMFILE: 'raise the limit: ulimit -n 1024',
  ENFILE: 'raise the limit: sysctl fs.file-max',
};

/** Explains a symbolic errno; undefined for errors that are not about this limit. */
export function explainFileLimit(code: unknown): { why: string; remedy: string } | undefined {
  const [why, remedy] = [WHY[String(code)], REMEDY[String(code)]];
  return why === undefined || remedy === undefined ? undefined : { why, remedy };
}
