export {
  generateKeyPair,
  open,
  seal,
  SealedBoxError,
  type SealedBox,
  sealingPurpose,
  type SealingKeyPair,
  type SealingPurpose,
} from './sealed-box.js';
