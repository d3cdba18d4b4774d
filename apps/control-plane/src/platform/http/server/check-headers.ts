import type { IncomingMessage } from 'node:http';

import { ApiError } from '../errors/api-error.js';

const MAX_HEADERS = 100;

/**
 * Refuses a request with too many headers, or with a missing or repeated Host header. Node's parser accepts
 * such requests.
 * @throws ApiError `headers_too_large` or `bad_request`
 */
export function checkHeaders(request: IncomingMessage): void {
  const problem = headersProblem(request);
  if (problem) throw problem;
}

export function headersProblem({ rawHeaders, httpVersion }: IncomingMessage): ApiError | undefined {
  if (rawHeaders.length > 2 * MAX_HEADERS)
    return new ApiError('headers_too_large', `The request has more than ${MAX_HEADERS} headers.`);
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (isHost(rawHeaders[i] as string)) hosts++;
  // RFC 9112, section 3.2. With two Host headers, servers can disagree about the addressed host.
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1'))
    return new ApiError('bad_request', `Expected one Host header, got ${hosts === 0 ? 'none' : 'several'}.`);
  return undefined;
}

function isHost(name: string): boolean {
  return name.length === 4 && name.toLowerCase() === 'host';
}
