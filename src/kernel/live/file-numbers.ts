import type { FileFacts } from '../../model/file.ts';

const HIGH_WORD = 2 ** 32;

/**
 * What identifies a file in its file system, from the words of the kernel programs. Some file systems of a network and of
 * containers have inode numbers beyond 2^53, which are rounded. The generation keeps such files apart.
 */
export function fileNumbers(
  low: number,
  high: number,
  generation: number,
): Pick<FileFacts, 'inode' | 'generation'> {
  const isRounded = high >= 2 ** 21;
  return {
    inode: low + high * HIGH_WORD,
    generation: isRounded ? (generation ^ low) >>> 0 : generation,
  };
}
