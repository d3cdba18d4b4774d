export {
  generateKeyPair,
  open,
  seal,
  SealedBoxError,
  type SealedBox,
  type SealingKeyPair,
} from './sealed-box.js';
export { sealingPurpose, type SealingPurpose } from './sealing-purpose.js';
