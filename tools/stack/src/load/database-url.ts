/** @param password false: left out, for a command line that others can see */
export function databaseUrl(databasesUrl: string, database: string, { password = true } = {}): string {
  const url = new URL(databasesUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  if (!password) url.password = '';
  return url.href;
}
