import type { Identity } from './identity.ts';
import { layerOf } from './layer.ts';
import { opClassIndex } from './operation.ts';

/**
 * A name for the I/O that the kernel programs count together, and that a sample then divides among its owners: that of
 * one device and class of operations. Calls of one class are counted on all devices together.
 */
export function countedTogether(identity: Pick<Identity, 'layer' | 'dev' | 'cmdFlags'>): string {
  const layer = layerOf(identity);
  return `${layer === 'calls' ? layer : identity.dev} ${opClassIndex(identity.cmdFlags)}`;
}
