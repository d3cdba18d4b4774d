import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';

import type { ControlPlane } from './start-control-plane.js';

export interface OpenResponse {
  readonly request: ClientRequest;
  /** The response is paused: nothing is read from the connection until the test reads the response. */
  readonly response: IncomingMessage;
}

/** Sends a request for records. Resolves when the head of the response has arrived. */
export async function openResponse(
  plane: ControlPlane,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenResponse> {
  const sent = send(plane, body, headers);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { request: sent, response };
}

/** Sends a request without waiting for its response. Call `destroy` on the result to disconnect the client. */
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
  sent.on('error', () => undefined); // the tests expect connections that end early
  sent.end(JSON.stringify(body));
  return sent;
}

export async function readToEnd({ response }: OpenResponse): Promise<{ bytes: Buffer; aborted: boolean }> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of response) pieces.push(piece as Buffer);
  } catch {
    // `complete` is false for an aborted response
  }
  return { bytes: Buffer.concat(pieces), aborted: !response.complete };
}

export interface Activity {
  readonly running: number;
  readonly waiting: number;
  readonly records: number;
}

/** Reads the activity of the generation threads from /metrics. */
export async function activityOf(plane: ControlPlane): Promise<Activity> {
  const { text } = await plane.request('/metrics', { token: null, at: plane.opsUrl });
  const read = (name: string): number =>
    Number(new RegExp(`^understudy_generation_${name} (\\d+)$`, 'm').exec(text)?.[1]);
  return { running: read('running'), waiting: read('waiting'), records: read('records_total') };
}
