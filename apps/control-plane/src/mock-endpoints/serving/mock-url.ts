/** Where mock endpoints are served, below whatever `UNDERSTUDY_MOCK_URL` names. */
export const MOCK_PREFIX = '/mock';
export const MOCK_ROUTE = `${MOCK_PREFIX}/*`;

export interface MockTarget {
  readonly endpointId: string;
  /** Percent-encoded; begins with a slash, or is empty. */
  readonly path: string;
  readonly query: string;
}

/** @param url of a request, as it came: `/mock/<id><path>?<query>` */
export function readMockUrl(url: string): MockTarget {
  const mark = url.indexOf('?');
  const [whole, query] = mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
  const below = whole.slice(MOCK_PREFIX.length + 1);
  const slash = below.indexOf('/');
  if (slash < 0) return { endpointId: below, path: '', query };
  return { endpointId: below.slice(0, slash), path: below.slice(slash), query };
}
