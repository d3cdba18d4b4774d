/** Returns the names of the parameters of a path, for example `["id"]` for `/users/:id`. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/(?<=\/):([^/]+)/g)].map(([, name = '']) => name);
}

export interface CallSettings {
  /** The values of the parameters of the path. A missing or empty one becomes `1`. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly seed: string;
  readonly count: string;
}

/**
 * Returns the URL of one call of a mock endpoint.
 * @param url the URL of the endpoint, which ends in `path`
 */
export function callUrl(url: string, path: string, { parameters, seed, count }: CallSettings): string {
  const start = url.endsWith(path) ? url.slice(0, -path.length) : url;
  const filled = path.replaceAll(/(?<=\/):([^/]+)/g, (_, name: string) =>
    encodeURIComponent(parameters[name] || '1'),
  );
  const query = new URLSearchParams({ ...(seed && { seed }), ...(count && { count }) }).toString();
  return `${start}${filled}${query && `?${query}`}`;
}

/** Returns the command that makes the same call. */
export function curlCommand(method: string, url: string, needsKey: boolean): string {
  const quoted = `'${url.replaceAll("'", "'\\''")}'`;
  const parts = [`curl -sS${method === 'GET' ? '' : ` -X ${method}`} ${quoted}`];
  if (needsKey) parts.push('-H "Authorization: Bearer $UNDERSTUDY_API_TOKEN"');
  return parts.join(' \\\n  ');
}
