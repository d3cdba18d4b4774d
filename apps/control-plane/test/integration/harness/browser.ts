import type { ControlPlane, ApiResponse, RequestOptions } from './start-control-plane.js';

/** A browser at a page of the dashboard: it keeps the cookie and sends the headers of a page's own calls. */
export class Browser {
  /** The Cookie header; empty without a cookie. */
  cookie = '';

  constructor(private readonly plane: ControlPlane) {}

  /** Sends a request without a token. `headers` can replace the headers that the browser sends. */
  async request(path: string, options: RequestOptions = {}): Promise<ApiResponse> {
    const headers = {
      'sec-fetch-site': 'same-origin',
      ...(this.cookie === '' ? {} : { cookie: this.cookie }),
      ...options.headers,
    };
    const response = await this.plane.request(path, { token: null, ...options, headers });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1);
      this.cookie = pair.endsWith('=') ? '' : pair;
    }
    return response;
  }

  /** Signs in with a token or a link. */
  signIn(body: { readonly token?: string; readonly link?: string }): Promise<ApiResponse> {
    return this.request('/dashboard/session', { method: 'POST', body });
  }
}

/** Opens a session with a token. */
export async function signedIn(plane: ControlPlane, token = plane.token): Promise<Browser> {
  const browser = new Browser(plane);
  const { status, text } = await browser.signIn({ token });
  if (status !== 201) throw new Error(`signing in returned ${status}: ${text}`);
  return browser;
}
