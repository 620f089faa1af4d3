/** What the server does to a request; `fsync` has no place and meets every range. */
export type SlowOp = 'read' | 'write' | 'discard' | 'fsync';

/** For requests that touch [start, end) of the file. */
export interface SlowRule {
  readonly start: number;
  readonly end: number;
  /** Default: every operation. */
  readonly op?: SlowOp;
  /** How long the answer is held back, at least; default 0. */
  readonly delayUs?: number;
  /** Number of the error that is answered instead of data; default none. */
  readonly errno?: number;
}

export interface SlowRequest {
  readonly op: SlowOp;
  readonly offset: number;
  readonly bytes: number;
}

/** The first rule that fits decides, alone. */
export function ruleFor(rules: readonly SlowRule[], request: SlowRequest): SlowRule | undefined {
  const end = request.offset + Math.max(1, request.bytes);
  return rules.find(
    (rule) =>
      (rule.op ?? request.op) === request.op &&
      (request.op === 'fsync' || (request.offset < rule.end && end > rule.start)),
  );
}

/** From the test to the server. */
export interface SlowOrder {
  readonly id: number;
  readonly rules: readonly SlowRule[];
}

/** From the server: the order that is in force from now on; 0 when the file can be opened. */
export interface SlowReply {
  readonly inForce: number;
}
