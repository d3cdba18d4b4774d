import { writeExactJson } from '@understudy/expression';
import { shellText } from '@understudy/code-snippets';

import type { WrittenRequest } from '../form/write-request.js';

export type RequestFormat = 'request' | 'curl' | 'file';

/**
 * Writes a request to read and to copy. A connection URL is replaced with a variable, because it may contain a
 * password. In a job file, an agent's database is replaced, too, because the command line connects itself.
 */
export function requestText(request: WrittenRequest, format: RequestFormat): string {
  if (format === 'file') return `${json(asJobFile(request))}\n`;
  const shown = json({
    ...request,
    source: { ...request.source, connection_string: shownUrl(request.source.connection_string) },
    target: { ...request.target, connection_string: shownUrl(request.target.connection_string) },
  });
  if (format === 'request') return shown;
  return [
    'curl -sS "$UNDERSTUDY_API_URL/sync/jobs"',
    '-H "Authorization: Bearer $UNDERSTUDY_API_TOKEN"',
    "-H 'Content-Type: application/json'",
    `-d ${shellText(shown)}`,
  ].join(' \\\n  ');
}

function asJobFile({ name, tables, seed, now, ...more }: WrittenRequest) {
  const databases = { source: { url_env: 'SOURCE_URL' }, target: { url_env: 'TARGET_URL' } };
  return { name, ...more, ...databases, agent: undefined, dry_run: undefined, seed, now, tables };
}

/** The text in location of a URL. It is no valid URL, so that a request with it is refused. */
function shownUrl(url: string): string {
  return url === '' || url.startsWith('agent:') ? url : '<connection URL>';
}

function json(value: unknown): string {
  return writeExactJson(value, '  ');
}
