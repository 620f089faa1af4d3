/** One completed I/O from a log; NaN for unknown values. */
export interface ImportedIo {
  /** Ns since the start of the trace. */
  completeNs: number;
  deviceNs: number;
  queueNs: number;
  /** From submission to completion, where the log has neither of these. */
  totalNs?: number;
  sector: number;
  /** In bytes; only ioheat's own exports have it. */
  fileOffset?: number;
  bytes: number;
  dev: number;
  cmdFlags: number;
  /** The kernel's error number; 0 for success and if the log has none. */
  error: number;
  owner: IoOwner | undefined;
  /** Bits of `IdentityMark`: what the log lacks about this I/O. */
  unknown: number;
}

export interface IoOwner {
  readonly tgid: number;
  readonly tid: number;
  /** Raw bytes, one character each. */
  readonly comm: string;
}
