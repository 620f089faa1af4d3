import { IdentityMark } from '../../model/identity.ts';
import { isUnknownDevice } from '../../model/device.ts';
import { isUnknownOp } from '../../model/operation.ts';
import type { TraceField } from '../trace-reader.ts';
import type { ImportedIo } from './imported-io.ts';

/**
 * The fields that no line of a log has had so far. A row that has a field removes it from the list, and each row marks
 * what it lacks itself.
 */
export class UnknownFields {
  private fields: readonly TraceField[];

  constructor(fields: readonly TraceField[]) {
    this.fields = fields;
  }

  /** The same array while nothing changes. */
  get unknown(): readonly TraceField[] {
    return this.fields;
  }

  note(io: ImportedIo): void {
    if (this.fields.length === 0) return;
    const left = this.fields.filter((field) => !isKnown(field, io));
    if (left.length < this.fields.length) this.fields = left;
  }
}

/** A format has threads and device times in all lines or in none. */
function isKnown(field: TraceField, io: ImportedIo): boolean {
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
