/** `path` with one more member: `.name`, `[3]`, or `["odd name"]`. */
export function joinPath(path: string, member: string | number): string {
  if (typeof member === 'number') return `${path}[${member}]`;
  if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(member)) return `${path}[${JSON.stringify(member)}]`;
  return path === '' ? member : `${path}.${member}`;
}
