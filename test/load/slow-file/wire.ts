/*
 * The FUSE protocol as far as one file in one folder needs it: include/uapi/linux/fuse.h. All numbers
 * are little-endian.
 */
export const Opcode = {
  lookup: 1,
  forget: 2,
  getattr: 3,
  setattr: 4,
  open: 14,
  read: 15,
  write: 16,
  statfs: 17,
  release: 18,
  fsync: 20,
  flush: 25,
  init: 26,
  interrupt: 36,
  destroy: 38,
  batchForget: 42,
  fallocate: 43,
} as const;

export const IN_HEADER_BYTES = 40;
const OUT_HEADER_BYTES = 16;

export interface FuseRequest {
  readonly opcode: number;
  readonly unique: bigint;
  readonly node: number;
  /** What follows the header; valid until the next request is read. */
  readonly body: Buffer;
}

export function parseRequest(message: Buffer): FuseRequest {
  return {
    opcode: message.readUInt32LE(4),
    unique: message.readBigUInt64LE(8),
    node: Number(message.readBigUInt64LE(16)),
    body: message.subarray(IN_HEADER_BYTES),
  };
}

/** `errno` as a positive number; an error has no body. */
export function formatReply(unique: bigint, errno: number, body: Buffer): Buffer {
  const length = OUT_HEADER_BYTES + (errno === 0 ? body.length : 0);
  const header = Buffer.alloc(OUT_HEADER_BYTES);
  header.writeUInt32LE(length, 0);
  header.writeInt32LE(-errno, 4);
  header.writeBigUInt64LE(unique, 8);
  return errno === 0 ? Buffer.concat([header, body]) : header;
}

export const FOLDER_NODE = 1;
export const FILE_NODE = 2;
const S_IFDIR = 0o040755;
const S_IFREG = 0o100600;
const ATTRIBUTE_BYTES = 88;
/** So long, in s, that nobody asks twice. */
const VALID_S = 3600n;

function attributes(node: number, fileBytes: number): Buffer {
  const isFile = node === FILE_NODE;
  const body = Buffer.alloc(ATTRIBUTE_BYTES);
  body.writeBigUInt64LE(BigInt(node), 0);
  body.writeBigUInt64LE(isFile ? BigInt(fileBytes) : 0n, 8);
  body.writeBigUInt64LE(isFile ? BigInt(fileBytes / 512) : 0n, 16);
  body.writeUInt32LE(isFile ? S_IFREG : S_IFDIR, 60);
  body.writeUInt32LE(isFile ? 1 : 2, 64);
  body.writeUInt32LE(4096, 80);
  return body;
}

export function attributeBody(node: number, fileBytes: number): Buffer {
  const head = Buffer.alloc(16);
  head.writeBigUInt64LE(VALID_S, 0);
  return Buffer.concat([head, attributes(node, fileBytes)]);
}

export function entryBody(node: number, fileBytes: number): Buffer {
  const head = Buffer.alloc(40);
  head.writeBigUInt64LE(BigInt(node), 0);
  head.writeBigUInt64LE(VALID_S, 16);
  head.writeBigUInt64LE(VALID_S, 24);
  return Buffer.concat([head, attributes(node, fileBytes)]);
}

export const MAX_WRITE_BYTES = 1 << 20;
const MINOR_VERSION = 31;
const ASYNC_READ = 1;
const BIG_WRITES = 1 << 5;
const ASYNC_DIO = 1 << 15;
const MAX_PAGES = 1 << 22;
/** Requests that the kernel lets wait at once. */
const MAX_BACKGROUND = 512;

/** Direct I/O side by side, and requests of up to 1 MiB. */
export function initBody(request: FuseRequest): Buffer {
  const offered = request.body.readUInt32LE(12);
  const body = Buffer.alloc(64);
  body.writeUInt32LE(7, 0);
  body.writeUInt32LE(MINOR_VERSION, 4);
  body.writeUInt32LE(request.body.readUInt32LE(8), 8);
  body.writeUInt32LE((offered & (ASYNC_READ | BIG_WRITES | ASYNC_DIO | MAX_PAGES)) >>> 0, 12);
  body.writeUInt16LE(MAX_BACKGROUND, 16);
  body.writeUInt16LE(MAX_BACKGROUND, 18);
  body.writeUInt32LE(MAX_WRITE_BYTES, 20);
  body.writeUInt32LE(1, 24);
  body.writeUInt16LE(MAX_WRITE_BYTES / 4096, 28);
  return body;
}

export function openBody(): Buffer {
  return Buffer.alloc(16);
}

export function statfsBody(fileBytes: number): Buffer {
  const body = Buffer.alloc(80);
  body.writeBigUInt64LE(BigInt(Math.ceil(fileBytes / 4096)), 0);
  body.writeUInt32LE(4096, 40);
  body.writeUInt32LE(255, 44);
  body.writeUInt32LE(4096, 48);
  return body;
}

/** A write's answer: how much was taken. */
export function writtenBody(bytes: number): Buffer {
  const body = Buffer.alloc(8);
  body.writeUInt32LE(bytes, 0);
  return body;
}

/** Place and size of a read or write, from its body. */
export function transfer(body: Buffer): { offset: number; bytes: number } {
  return { offset: Number(body.readBigUInt64LE(8)), bytes: body.readUInt32LE(16) };
}

export const WRITE_DATA_AT = 40;

export function fallocateRange(body: Buffer): { offset: number; bytes: number } {
  return { offset: Number(body.readBigUInt64LE(8)), bytes: Number(body.readBigUInt64LE(16)) };
}
