import { execFileSync } from 'node:child_process';

/**
 * Programs that only tests need: languages of the examples in the documentation, Swift (an S3 server), and
 * the programs with which tests build networks of their own.
 */
export const TOOLCHAINS = ['python', 'php', 'go', 'swift', 'networks'] as const;
export type Toolchain = (typeof TOOLCHAINS)[number];

const PROGRAMS: Record<Toolchain, readonly [string, ...string[]]> = {
  python: ['python3', '--version'],
  php: ['php', '--version'],
  go: ['go', 'version'],
  // Debian's packages are installed for Debian's own Python, which may not be the first on PATH.
  swift: ['/usr/bin/python3', '-c', 'import swift.proxy, swift.common.middleware.s3api'],
  // An ordinary user's PATH lacks the sbin folders. The words of -c are checked one by one.
  networks: [
    'sh',
    '-c',
    'PATH="$PATH:/usr/sbin:/sbin"; for p in ip ss iptables tcpdump nginx openssl curl; do command -v $p || exit 1; done',
  ],
};

/**
 * @returns the command that starts the program, or undefined if it does not run. For swift, the command is
 *   the Python that has the swift package; for networks, it is the shell
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
