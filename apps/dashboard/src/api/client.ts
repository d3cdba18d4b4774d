import { Understudy } from '@understudy/client';

/**
 * The path prefix below which the control plane is published, for example `/a/b`, or an empty text. The control plane
 * writes it into index.html.
 */
export const BASE_PATH = readBasePath(
  document.querySelector('meta[name="base-path"]')?.getAttribute('content'),
);

/** Accepts only a plain absolute path, because the prefix becomes a part of every URL that the page calls. */
export function readBasePath(content: string | null | undefined): string {
  return content && /^(\/[A-Za-z0-9._~-]+)+$/.test(content) ? content : '';
}

/** The client of the API. The session cookie authenticates its calls, and it never sends a token. */
export const client = Understudy.withoutToken({
  baseUrl: `${window.location.origin}${BASE_PATH}/dashboard/v1`,
  fetch: (url, init) => fetch(url, { ...init, credentials: 'same-origin' }),
});
