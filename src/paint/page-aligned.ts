/** Unbuffered I/O needs page-aligned memory, which only WebAssembly memory guarantees. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
};

/** The page size of WebAssembly, a multiple of the machine's. */
const PAGE_BYTES = 65_536;

/** Zeroed memory that starts on a page boundary; `bytes` is rounded up to 64 KiB. */
export function pageAligned(bytes: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) }).buffer);
}
