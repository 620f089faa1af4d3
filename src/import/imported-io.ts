/** One finished I/O as a log tells it; NaN for what it does not tell. */
export interface ImportedIo {
  /** Ns since the start of the trace. */
  completeNs: number;
  deviceNs: number;
  queueNs: number;
  sector: number;
  bytes: number;
  dev: number;
  cmdFlags: number;
  /** As the kernel gave it; 0 for success and where the log does not tell. */
  error: number;
  owner: IoOwner | undefined;
  /** Bits of `IdentityMark`: what the log does not tell of this I/O. */
  unknown: number;
}

export interface IoOwner {
  readonly tgid: number;
  readonly tid: number;
  /** Raw bytes, one character each. */
  readonly comm: string;
}
