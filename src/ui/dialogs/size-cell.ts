import { formatBytes, UNKNOWN } from '../../base/format.ts';
import type { OpClass } from '../../model/operation.ts';

interface OfSize {
  readonly bytes?: number | undefined;
  readonly opClass: OpClass | undefined;
}

/** Only reads and writes can move 0 bytes. For flushes and other calls, 0 means that they have no size. */
export function sizeCell({ bytes, opClass }: OfSize): string {
  const isMove = opClass === 'read' || opClass === 'write';
  return bytes === undefined || (bytes === 0 && !isMove) ? UNKNOWN : formatBytes(bytes);
}
