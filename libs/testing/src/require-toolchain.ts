import { findToolchain, type Toolchain } from './provision/toolchains.js';

/**
 * Finds out whether a toolchain is on this machine.
 * @returns the reason why tests must be skipped, or undefined
 * @throws Error if the toolchain is missing and demanded
 */
export function reasonToSkip(toolchain: Toolchain | undefined): string | undefined {
  if (toolchain === undefined || findToolchain(toolchain) !== undefined) return undefined;
  return unlessDemanded(
    `expected the programs of "${toolchain}" (libs/testing/src/provision/toolchains.ts), found none`,
  );
}

/**
 * Returns a reason to skip tests. `UNDERSTUDY_REQUIRE_TOOLCHAINS=1` demands all tests, as in CI and in a release.
 * @throws Error with the reason if the tests are demanded
 */
export function unlessDemanded(reason: string | undefined): string | undefined {
  if (reason !== undefined && process.env['UNDERSTUDY_REQUIRE_TOOLCHAINS'] === '1') throw new Error(reason);
  return reason;
}

/** Defines tests that need a toolchain. Without it, they are skipped, and the run prints the reason. */
export function describeWith(title: string, toolchain: Toolchain | undefined, tests: () => void): void {
  const reason = reasonToSkip(toolchain);
  if (reason === undefined) return describe(title, tests);
  process.stderr.write(`skipped: ${title}: ${reason}\n`);
  describe.skip(title, tests);
}
