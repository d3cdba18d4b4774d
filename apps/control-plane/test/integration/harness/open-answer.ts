import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';

import type { ControlPlane } from './start-control-plane.js';

export interface OpenAnswer {
  readonly request: ClientRequest;
  /** Paused: nothing is taken from the connection before somebody reads. */
  readonly response: IncomingMessage;
}

/** Sends a request for records and resolves with the head of the answer. */
export async function openAnswer(
  plane: ControlPlane,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenAnswer> {
  const sent = send(plane, body, headers);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { request: sent, response };
}

/** Sends a request whose answer nobody waits for; `destroy` it, as a client does that goes away. */
export function send(
  plane: ControlPlane,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): ClientRequest {
  const sent = request(`${plane.url}/v1/generate`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${plane.token}`, 'content-type': 'application/json', ...headers },
  });
  sent.on('error', () => undefined); // a connection that ends early is what these tests look at
  sent.end(JSON.stringify(body));
  return sent;
}

export async function readToEnd({ response }: OpenAnswer): Promise<{ bytes: Buffer; aborted: boolean }> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of response) pieces.push(piece as Buffer);
  } catch {
    // said by `complete`
  }
  return { bytes: Buffer.concat(pieces), aborted: !response.complete };
}

export interface Activity {
  readonly running: number;
  readonly waiting: number;
  readonly records: number;
}

/** As /metrics shows it. */
export async function activityOf(plane: ControlPlane): Promise<Activity> {
  const { text } = await plane.request('/metrics', { token: null, at: plane.opsUrl });
  const read = (name: string): number =>
    Number(new RegExp(`^understudy_generation_${name} (\\d+)$`, 'm').exec(text)?.[1]);
  return { running: read('running'), waiting: read('waiting'), records: read('records_total') };
}
