import { NO_DEVICE } from './file.ts';
import type { FileFacts } from './file.ts';

/** A file of which only the name in a call is known; it is identified by the name alone. */
export function namedFile(path: string): FileFacts {
  return { kind: 'file', dev: NO_DEVICE, inode: nameHash(path), generation: 0, path };
}

/** 48 bits, by FNV-1a in two halves. */
function nameHash(text: string): number {
  let [low, high] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at++) {
    low = Math.imul(low ^ text.charCodeAt(at), 0x01000193);
    high = Math.imul(high ^ low, 0x85ebca6b);
  }
  return (low >>> 0) + (high >>> 16) * 2 ** 32;
}
