const LONGEST_SHOWN = 64;

/** `path` with one more member: `.name`, `[3]`, or `["odd name"]`. Long names are cut. */
export function joinPath(path: string, member: string | number): string {
  if (typeof member === 'number') return `${path}[${member}]`;
  const name = member.length > LONGEST_SHOWN ? `${member.slice(0, LONGEST_SHOWN)}…` : member;
  if (!/^[\p{L}_$][\p{L}\p{N}_$-]*…?$/u.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}
