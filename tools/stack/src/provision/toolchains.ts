import { execFileSync } from 'node:child_process';

/** Languages of others, for tests of what the documentation shows in them. */
export const TOOLCHAINS = ['python', 'php', 'go'] as const;
export type Toolchain = (typeof TOOLCHAINS)[number];

const PROGRAMS: Record<Toolchain, readonly [string, string]> = {
  python: ['python3', '--version'],
  php: ['php', '--version'],
  go: ['go', 'version'],
};

/** @returns the program on PATH, if it is there and runs */
export function findToolchain(toolchain: Toolchain): string | undefined {
  const [program, versionArgument] = PROGRAMS[toolchain];
  try {
    execFileSync(program, [versionArgument], { stdio: 'ignore', timeout: 10_000 });
    return program;
  } catch {
    return undefined; // not there
  }
}
