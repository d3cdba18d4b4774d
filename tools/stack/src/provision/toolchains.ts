import { execFileSync } from 'node:child_process';

/** What tests run beside the product: languages that the documentation shows examples in, and an S3 server. */
export const TOOLCHAINS = ['python', 'php', 'go', 'swift'] as const;
export type Toolchain = (typeof TOOLCHAINS)[number];

const PROGRAMS: Record<Toolchain, readonly [string, ...string[]]> = {
  python: ['python3', '--version'],
  php: ['php', '--version'],
  go: ['go', 'version'],
  // Debian's packages are for Debian's Python, which need not be the first on PATH.
  swift: ['/usr/bin/python3', '-c', 'import swift.proxy, swift.common.middleware.s3api'],
};

/** @returns the program (of swift, the Python that has it), if it is there and runs */
export function findToolchain(toolchain: Toolchain): string | undefined {
  const [program, ...args] = PROGRAMS[toolchain];
  try {
    execFileSync(program, args, { stdio: 'ignore', timeout: 10_000 });
    return program;
  } catch {
    return undefined; // not there
  }
}
