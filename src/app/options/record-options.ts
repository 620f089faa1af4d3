/** The checked options of a recording, with or without a picture. */
export interface RecordOptions {
  /** A path, or `-` for standard output; undefined if nothing is recorded from the start. */
  readonly file: string | undefined;
  readonly isDemo: boolean;
  /** Undefined if the recording runs until it is stopped. */
  readonly durationNs: number | undefined;
  readonly rotateBytes: number | undefined;
  readonly rotateMs: number | undefined;
  readonly keep: number | undefined;
  /** Whether to record aggregates per slice of time instead of single I/Os. */
  readonly summary: boolean;
  /** Whether to replace a file; undefined where no option asks for it. */
  readonly force: boolean | undefined;
  /** Whether to leave out the I/O of this program itself. */
  readonly hideSelf: boolean;
}

export const NO_RECORDING: RecordOptions = {
  file: undefined,
  isDemo: false,
  durationNs: undefined,
  rotateBytes: undefined,
  rotateMs: undefined,
  keep: undefined,
  summary: false,
  force: false,
  hideSelf: false,
};
