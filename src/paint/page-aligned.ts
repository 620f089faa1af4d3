/** Unbuffered I/O needs memory on a page, which only this kind promises. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
};

/** Pages of WebAssembly, a whole number of the machine's. */
const PAGE_BYTES = 65_536;

/** Zeroed memory that begins on a page boundary; `bytes` is rounded up to 64 KiB. */
export function pageAligned(bytes: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) }).buffer);
}
