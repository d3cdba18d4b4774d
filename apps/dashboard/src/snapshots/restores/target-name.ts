/**
 * Returns the name of a target database, which a person types to confirm a restore.
 * @param target `agent:<name>`, a name, or a connection URL
 * @returns undefined for a text that names no database
 */
export function targetName(target: string): string | undefined {
  const text = target.trim();
  if (/^postgres(ql)?:\/\//i.test(text)) return databaseOf(text);
  const name = text.replace(/^agent:/, '');
  return /^[\w.-]{1,63}$/.test(name) ? name : undefined;
}

/** Returns the database of a connection URL. */
function databaseOf(url: string): string | undefined {
  try {
    return decodeURIComponent(new URL(url).pathname.slice(1)) || undefined;
  } catch {
    return undefined; // the field reports what the server expects
  }
}
