import { Understudy } from '@understudy/client';
import { parseExactJson, writeExactJson } from '@understudy/expression';

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

/** Called when the server reports that the session of the page has ended. */
type EndListener = () => void;
let onSessionEnd: EndListener = () => undefined;

/** Sets the only listener. It may be called several times for one end. */
export function listenForSessionEnd(listener: EndListener): void {
  onSessionEnd = listener;
}

/** Options of both clients. A user is waiting, so a failed call is repeated once, and only soon. */
const OPTIONS = {
  maxRetries: 1,
  maxWait: 2,
  allowPlaintext: true,
  json: { parse: parseExactJson, stringify: (value: unknown) => writeExactJson(value) },
};

/** Calls the server with the session cookie, and never with a token. Notices the end of the session. */
export async function sessionFetch(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, credentials: 'same-origin' });
  if (response.status === 401) onSessionEnd();
  return response;
}

function sessionClient(headers: Readonly<Record<string, string>>): Understudy {
  return Understudy.withoutToken({
    ...OPTIONS,
    baseUrl: `${window.location.origin}${BASE_PATH}/dashboard/v1`,
    fetch: (url, init) =>
      sessionFetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), ...headers } }),
  });
}

/** The client of the API. The session cookie authenticates its calls, and it never sends a token. */
export const client = sessionClient({});

/** The client for calls that no person caused, such as polling. They do not keep the session alive. */
export const backgroundClient = sessionClient({ 'understudy-background': '1' });

/** The client for public operations. It sends neither a token nor the cookie. */
export const publicClient = Understudy.withoutToken({
  ...OPTIONS,
  baseUrl: `${window.location.origin}${BASE_PATH}/v1`,
  fetch: (url, init) => fetch(url, { ...init, credentials: 'omit' }),
});
