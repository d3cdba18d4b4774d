import { randomBytes } from 'node:crypto';

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

/** Crockford's base 32, as ULIDs are written. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 26;
const PREFIX = 'ep_';
const FORM = new RegExp(`^${PREFIX}[${DIGITS}]{${LENGTH}}$`);

export const ENDPOINT_ID_LENGTH = PREFIX.length + LENGTH;

/** 130 random bits: where an endpoint asks for no token, its id is what lets one call it. */
export function newEndpointId(): string {
  const digits = Array.from(randomBytes(LENGTH), (byte) => DIGITS.charAt(byte % DIGITS.length));
  return `${PREFIX}${digits.join('')}`;
}

export function isEndpointId(text: string): boolean {
  return FORM.test(text);
}
