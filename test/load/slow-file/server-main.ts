import { openSync, read, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { dieWithParent, mountFuse } from '../system.ts';
import {
  ruleFor,
  type SlowOrder,
  type SlowReply,
  type SlowRequest,
  type SlowRule,
} from './rules.ts';
import {
  attributeBody,
  entryBody,
  FILE_NODE,
  fallocateRange,
  FOLDER_NODE,
  formatReply,
  IN_HEADER_BYTES,
  initBody,
  MAX_WRITE_BYTES,
  Opcode,
  openBody,
  parseRequest,
  statfsBody,
  transfer,
  WRITE_DATA_AT,
  writtenBody,
  type FuseRequest,
} from './wire.ts';

/*
 * One file, served by FUSE with the delays and errors that the test asks for. Runs in a mount namespace
 * of its own, which the kernel clears away with the process: nothing is left of a run that was killed.
 */
const { EIO, ENOENT, ENOSYS } = constants.errno;
const NOTHING = Buffer.alloc(0);

const [mountPoint, fileBytes] = [process.argv[2]!, Number(process.argv[3])];
const data = Buffer.alloc(fileBytes);
let rules: readonly SlowRule[] = [];

interface Answer {
  readonly body: Buffer;
  readonly errno?: number;
  /** Monotonic ns before which it must not be sent. */
  readonly notBefore?: bigint;
}

dieWithParent();
const fd = openSync('/dev/fuse', 'r+');
mountFuse(mountPoint, fd);
process.on('message', (order: SlowOrder) => {
  rules = order.rules;
  tell(order.id);
});
process.on('disconnect', () => process.exit(0));
serve(Buffer.alloc(MAX_WRITE_BYTES + 4096));
tell(0);

function tell(inForce: number): void {
  process.send?.({ inForce } satisfies SlowReply);
}

function serve(buffer: Buffer): void {
  read(fd, buffer, 0, buffer.length, null, (error, bytes) => {
    // ENODEV: unmounted. An interrupted request is ENOENT, and there is nothing to answer.
    if (error?.code === 'ENODEV') process.exit(0);
    if (error === null && bytes >= IN_HEADER_BYTES) take(parseRequest(buffer.subarray(0, bytes)));
    serve(buffer);
  });
}

function take(request: FuseRequest): void {
  const answer = answerTo(request);
  if (answer !== undefined) sendWhenDue(request.unique, answer);
}

/** A timer is early or late by a millisecond: the last bit is waited for in turns. */
function sendWhenDue(unique: bigint, answer: Answer): void {
  const leftNs = Number((answer.notBefore ?? 0n) - process.hrtime.bigint());
  const again = (): void => {
    sendWhenDue(unique, answer);
  };
  if (leftNs > 1e6) setTimeout(again, Math.floor(leftNs / 1e6));
  else if (leftNs > 0) setImmediate(again);
  else send(unique, answer);
}

function send(unique: bigint, { errno = 0, body }: Answer): void {
  try {
    writeSync(fd, formatReply(unique, errno, body));
  } catch (cause) {
    // The kernel gave the request up, or the file system with it.
    const gone = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    if (!gone) throw cause;
  }
}

function answerTo(request: FuseRequest): Answer | undefined {
  const { opcode, node, body } = request;
  switch (opcode) {
    case Opcode.init:
      return { body: initBody(request) };
    case Opcode.lookup:
      return node === FOLDER_NODE && body.toString('latin1', 0, body.indexOf(0)) === 'disk'
        ? { body: entryBody(FILE_NODE, fileBytes) }
        : { body: NOTHING, errno: ENOENT };
    case Opcode.getattr:
    case Opcode.setattr:
      return { body: attributeBody(node, fileBytes) };
    case Opcode.open:
      return { body: openBody() };
    case Opcode.statfs:
      return { body: statfsBody(fileBytes) };
    case Opcode.release:
    case Opcode.flush:
    case Opcode.destroy:
      return { body: NOTHING };
    case Opcode.forget:
    case Opcode.batchForget:
    case Opcode.interrupt:
      return undefined;
    default:
      return answerToIo(request);
  }
}

function answerToIo({ opcode, body }: FuseRequest): Answer {
  switch (opcode) {
    case Opcode.read:
      return slowly({ op: 'read', ...transfer(body) }, readData);
    case Opcode.write:
      return slowly({ op: 'write', ...transfer(body) }, ({ offset, bytes }) => {
        body.copy(data, offset, WRITE_DATA_AT, WRITE_DATA_AT + bytes);
        return writtenBody(bytes);
      });
    case Opcode.fallocate:
      return slowly({ op: 'discard', ...fallocateRange(body) }, ({ offset, bytes }) => {
        data.fill(0, offset, offset + bytes);
        return NOTHING;
      });
    case Opcode.fsync:
      return slowly({ op: 'fsync', offset: 0, bytes: 0 }, () => NOTHING);
    default:
      return { body: NOTHING, errno: ENOSYS };
  }
}

function readData({ offset, bytes }: SlowRequest): Buffer {
  return Buffer.from(data.subarray(offset, offset + bytes));
}

function slowly(request: SlowRequest, perform: (request: SlowRequest) => Buffer): Answer {
  const rule = ruleFor(rules, request);
  const delayNs = BigInt(Math.round((rule?.delayUs ?? 0) * 1000));
  const notBefore = process.hrtime.bigint() + delayNs;
  const errno = rule?.errno ?? 0;
  if (errno !== 0) return { body: NOTHING, errno, notBefore };
  const isInside = request.offset + request.bytes <= fileBytes;
  return isInside
    ? { body: perform(request), notBefore }
    : { body: NOTHING, errno: EIO, notBefore };
}
