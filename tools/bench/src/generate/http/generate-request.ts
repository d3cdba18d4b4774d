import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';

export interface GenerateRequest {
  /** URL that ends in /v1. */
  readonly baseUrl: string;
  readonly token: string;
  readonly body: object;
}

/** Measurements of one streamed response. Times begin when the request is sent. */
export interface StreamedResponse {
  readonly firstByteMs: number;
  readonly totalMs: number;
  readonly bytes: number;
  readonly lines: number;
}

const LINE_FEED = 0x0a;
const LONGEST_SHOWN_ERROR = 500;
const agent = new Agent({ keepAlive: true });

/**
 * Sends `POST /generate`, reads the response to its end and counts its lines, without keeping the content.
 * @throws Error if the status is not 200
 */
export async function generateRequest({ baseUrl, token, body }: GenerateRequest): Promise<StreamedResponse> {
  const payload = JSON.stringify(body);
  const started = performance.now();
  const sent = request(`${baseUrl}/generate`, {
    agent,
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  sent.end(payload);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(await refusal(response));
  let firstByteMs = Number.NaN;
  let bytes = 0;
  let lines = 0;
  response.on('data', (chunk: Buffer) => {
    if (bytes === 0) firstByteMs = performance.now() - started;
    bytes += chunk.length;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) lines++;
  });
  await once(response, 'end');
  return { firstByteMs, totalMs: performance.now() - started, bytes, lines };
}

async function refusal(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk as string;
  return `expected status 200 from POST /generate, received ${response.statusCode}: ${text.slice(0, LONGEST_SHOWN_ERROR)}`;
}
