import { IdentityMark } from '../model/identity-table.ts';
import { isUnknownDevice } from '../model/device.ts';
import { isUnknownOp } from '../model/operation.ts';
import type { TraceField } from '../source/trace-reader.ts';
import type { ImportedIo } from './imported-io.ts';

/**
 * The fields that a log has not told so far. What its first lines lack may still come: a row that knows
 * a field takes it off the list, while each row keeps for itself what it does not know.
 */
export class ToldFields {
  private fields: readonly TraceField[];

  constructor(fields: readonly TraceField[]) {
    this.fields = fields;
  }

  /** The same list as long as nothing of it changes. */
  get unknown(): readonly TraceField[] {
    return this.fields;
  }

  tell(io: ImportedIo): void {
    if (this.fields.length === 0) return;
    const left = this.fields.filter((field) => !isTold(field, io));
    if (left.length < this.fields.length) this.fields = left;
  }
}

/** Of threads and device times, a format's lines have all or none. */
function isTold(field: TraceField, io: ImportedIo): boolean {
  const has = (mark: number): boolean => (io.unknown & mark) === 0;
  switch (field) {
    case 'disk':
      return !isUnknownDevice(io.dev);
    case 'op':
      return !isUnknownOp(io.cmdFlags);
    case 'queue':
      return io.queueNs >= 0;
    case 'sector':
      return io.sector >= 0;
    case 'bytes':
      return has(IdentityMark.sizeUnknown);
    case 'pid':
      return io.owner !== undefined && has(IdentityMark.processUnknown);
    case 'comm':
      return io.owner !== undefined && io.owner.comm !== '';
    case 'flags':
      return has(IdentityMark.flagsUnknown);
    case 'error':
      return has(IdentityMark.errorUnknown);
    case 'device':
    case 'tid':
      return false;
  }
}
