/**
 * Returns the command that runs a program as a user without privileges, who can still read all files: a checkout in a
 * folder of root is closed to other users. If the tests do not run as root, their own user is such a user.
 */
export function asOrdinaryUser(program: string, args: readonly string[]): [string, string[]] {
  if (process.getuid?.() !== 0) return [program, [...args]];
  const capabilities = ['--inh-caps', '-all,+dac_read_search', '--ambient-caps', '-all,+dac_read_search'];
  const user = ['--reuid', '65534', '--regid', '65534', '--clear-groups'];
  return ['setpriv', [...user, ...capabilities, program, ...args]];
}
