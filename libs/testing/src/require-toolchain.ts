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
function unlessDemanded(reason: string | undefined): string | undefined {
  if (reason !== undefined && process.env['UNDERSTUDY_REQUIRE_TOOLCHAINS'] === '1') throw new Error(reason);
  return reason;
}

/**
 * Returns `describe`, or `describe.skip` if there is a reason. The run prints the reason.
 * @param reason why the tests cannot run on this machine, for example `NetworkNamespace.whyNotPossible()`
 * @throws Error with the reason if the tests are demanded
 */
export const describeUnless = (reason: string | undefined) => (isSkipped(reason) ? describe.skip : describe);

/** Returns `it`, or `it.skip` if there is a reason, as `describeUnless` does. */
export const itUnless = (reason: string | undefined) => (isSkipped(reason) ? it.skip : it);

function isSkipped(reason: string | undefined): boolean {
  if (unlessDemanded(reason) !== undefined) process.stderr.write(`skipped: ${reason}\n`);
  return reason !== undefined;
}

/** Defines tests that need a toolchain. Without it, they are skipped, and the run prints the reason. */
export function describeWith(title: string, toolchain: Toolchain | undefined, tests: () => void): void {
  describeUnless(reasonToSkip(toolchain))(title, tests);
}
