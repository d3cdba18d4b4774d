import { findToolchain, type Toolchain } from './provision/toolchains.js';

/**
 * Finds out whether a toolchain is on this machine. `UNDERSTUDY_REQUIRE_TOOLCHAINS=1` demands all of them, as in CI.
 * @returns the reason why tests must be skipped, or undefined
 * @throws Error if the toolchain is missing and demanded
 */
export function reasonToSkip(toolchain: Toolchain | undefined): string | undefined {
  if (toolchain === undefined || findToolchain(toolchain) !== undefined) return undefined;
  const reason = `expected the programs of "${toolchain}" (libs/testing/src/provision/toolchains.ts), found none`;
  if (process.env['UNDERSTUDY_REQUIRE_TOOLCHAINS'] === '1') throw new Error(reason);
  return reason;
}

/** Defines tests that need a toolchain. Without it, they are skipped, and the run prints the reason. */
export function describeWith(title: string, toolchain: Toolchain | undefined, tests: () => void): void {
  const reason = reasonToSkip(toolchain);
  if (reason === undefined) return describe(title, tests);
  process.stderr.write(`skipped: ${title}: ${reason}\n`);
  describe.skip(title, tests);
}
