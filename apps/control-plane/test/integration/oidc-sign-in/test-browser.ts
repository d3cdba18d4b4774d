/** A response that a browser received, with the URL that it requested. */
export interface Visit {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Follows redirects and keeps cookies as a browser does, by origin. The public URL of the control plane is
 * replaced by the address of its server, as a reverse proxy does.
 */
export class TestBrowser {
  private readonly jars = new Map<string, Map<string, string>>();

  /** @param servers for each public URL, the URL of the server behind it */
  constructor(private readonly servers: Readonly<Record<string, string>>) {}

  /** Sends a request without following redirects. */
  async send(url: string, options: { method?: string; body?: unknown; site?: string } = {}): Promise<Visit> {
    const { method = 'GET', body, site = method === 'GET' ? 'none' : 'same-origin' } = options;
    const jar = this.jarOf(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(this.behind(url), {
      method,
      redirect: 'manual',
      headers: {
        ...(cookie === '' ? {} : { cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        'sec-fetch-site': site,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) keep(jar, line);
    return { url, status: response.status, headers: response.headers, text: await response.text() };
  }

  /**
   * Follows redirects until `isEnd` returns true for the URL of the next redirect.
   * @returns that URL, which is not requested
   */
  async follow(start: string, isEnd: (url: string) => boolean): Promise<string> {
    let url = start;
    for (let step = 0; step < MAX_REDIRECTS; step += 1) {
      if (isEnd(url)) return url;
      const { status, headers, text } = await this.send(url);
      const location = headers.get('location');
      if (location === null) throw new Error(`expected a redirect from ${url}, received ${status}: ${text}`);
      url = new URL(location, url).href;
    }
    throw new Error(`expected at most ${MAX_REDIRECTS} redirects`);
  }

  cookie(url: string, name: string): string | undefined {
    return this.jarOf(url).get(name);
  }

  setCookie(url: string, name: string, value: string): void {
    this.jarOf(url).set(name, value);
  }

  private behind(url: string): string {
    const found = Object.entries(this.servers).find(([publicUrl]) => url.startsWith(`${publicUrl}/`));
    return found ? found[1] + url.slice(found[0].length) : url;
  }

  private jarOf(url: string): Map<string, string> {
    const { origin } = new URL(url);
    const jar = this.jars.get(origin) ?? new Map<string, string>();
    this.jars.set(origin, jar);
    return jar;
  }
}

const MAX_REDIRECTS = 10;

function keep(jar: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const [name = ''] = pair.split('=', 1);
  const isRemoved = attributes.some((attribute) => /^(max-age=0|expires=thu, 01 jan 1970)/i.test(attribute));
  if (isRemoved) jar.delete(name);
  else jar.set(name, pair.slice(name.length + 1));
}
