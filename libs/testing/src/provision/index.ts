export { checkoutPrograms, CHECKOUT, programFile } from './checkout-programs.js';
export { ensureBinaries, ensurePgcopydb } from './ensure-binaries.js';
export { ensureToolchains } from './ensure-toolchains.js';
export {
  findChromium,
  findNewestGo,
  findToolchain,
  RELEASE_TOOLCHAINS,
  TOOLCHAINS,
  type Toolchain,
} from './toolchains.js';
