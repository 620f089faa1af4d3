import { inflateSync } from 'node:zlib';

/** Pixels of a picture as 0xrrggbb. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly at: (x: number, y: number) => number;
}

/** The pixels of a PNG with 8 bits per channel, without a palette and without interlacing. */
export function readPng(png: Buffer): Pixels {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const channels = png[25] === 6 ? 4 : 3;
  if (png[24] !== 8 || (png[25] !== 2 && png[25] !== 6) || png[28] !== 0)
    throw new Error('a PNG of another kind');
  const raw = inflateSync(Buffer.concat(dataOf(png)));
  const stride = width * channels;
  const rows = Buffer.alloc(height * stride);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)]!;
    for (let i = 0; i < stride; i++) {
      const left = i < channels ? 0 : rows[y * stride + i - channels]!;
      const up = y === 0 ? 0 : rows[(y - 1) * stride + i]!;
      const corner = i < channels || y === 0 ? 0 : rows[(y - 1) * stride + i - channels]!;
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]!;
      rows[y * stride + i] = raw[y * (stride + 1) + 1 + i]! + predicted;
    }
  }
  return { width, height, at: (x, y) => rows.readUIntBE(y * stride + x * channels, 3) };
}

function dataOf(png: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  return parts;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [guess - left, guess - up, guess - corner].map(Math.abs) as [
    number,
    number,
    number,
  ];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
