import { randomBytes } from 'node:crypto';

import { DASHBOARD_PREFIX } from '../../../platform/http/pipeline/dashboard-route.js';

/** The path prefix of mock endpoints. `UNDERSTUDY_MOCK_URL` is its public URL. */
export const MOCK_PREFIX = '/mock';
export const MOCK_ROUTE = `${MOCK_PREFIX}/*`;

export interface MockTarget {
  readonly endpointId: string;
  /** Percent-encoded. It starts with a slash, or is empty. */
  readonly path: string;
  readonly query: string;
}

/** @param url the URL of a request as received: `/mock/<id><path>?<query>`, or the same below `/dashboard` */
export function readMockUrl(url: string): MockTarget {
  const mark = url.indexOf('?');
  const [whole, query] = mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
  const prefix = whole.startsWith(`${DASHBOARD_PREFIX}/`) ? DASHBOARD_PREFIX + MOCK_PREFIX : MOCK_PREFIX;
  const below = whole.slice(prefix.length + 1);
  const slash = below.indexOf('/');
  if (slash < 0) return { endpointId: below, path: '', query };
  return { endpointId: below.slice(0, slash), path: below.slice(slash), query };
}

/** Crockford's base 32, the alphabet of ULIDs. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 26;
const PREFIX = 'ep_';
const FORM = new RegExp(`^${PREFIX}[${DIGITS}]{${LENGTH}}$`);

export const ENDPOINT_ID_LENGTH = PREFIX.length + LENGTH;

/** Creates an id with 130 random bits. It is the only secret of an endpoint that needs no token. */
export function newEndpointId(): string {
  const digits = Array.from(randomBytes(LENGTH), (byte) => DIGITS.charAt(byte % DIGITS.length));
  return `${PREFIX}${digits.join('')}`;
}

export function isEndpointId(text: string): boolean {
  return FORM.test(text);
}
