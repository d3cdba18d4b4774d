import { execFileSync } from 'node:child_process';

/** Programs that only tests need: languages of the examples in the documentation, and Swift, an S3 server. */
export const TOOLCHAINS = ['python', 'php', 'go', 'swift'] as const;
export type Toolchain = (typeof TOOLCHAINS)[number];

const PROGRAMS: Record<Toolchain, readonly [string, ...string[]]> = {
  python: ['python3', '--version'],
  php: ['php', '--version'],
  go: ['go', 'version'],
  // Debian's packages are installed for Debian's own Python, which may not be the first on PATH.
  swift: ['/usr/bin/python3', '-c', 'import swift.proxy, swift.common.middleware.s3api'],
};

/**
 * @returns the command that starts the program, or undefined if it does not run. For swift, the command is
 *   the Python that has the swift package
 */
export function findToolchain(toolchain: Toolchain): string | undefined {
  const [program, ...args] = PROGRAMS[toolchain];
  try {
    execFileSync(program, args, { stdio: 'ignore', timeout: 10_000 });
    return program;
  } catch {
    return undefined; // the program does not exist
  }
}
