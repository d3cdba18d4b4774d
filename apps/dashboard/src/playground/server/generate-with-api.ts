import { ConnectionError } from '@understudy/client';

import { client, sessionFetch } from '../../api/client.js';
import { type Content, refusal } from '../../api/page-call.js';
import type { RecordsRequest } from '../../engine/worker/messages.js';

/** The formats whose bytes the page compares. */
export type ComparedFormat = 'ndjson' | 'csv';

/** The longest time of a call. The server itself limits a call to 60 s by default. */
const TIMEOUT_MS = 90_000;

/**
 * Generates the records of a request with the API, and returns the bytes of the response as text. The client of the API
 * would parse the records.
 * @throws ApiError if the server refuses the schema, ConnectionError if it sends no response
 */
export async function generateWithApi(request: RecordsRequest, format: ComparedFormat): Promise<string> {
  const { schema, count, seed, nowMs } = request;
  const settings = { count, seed, now: new Date(nowMs).toISOString(), format };
  const response = await send(`{"schema":${schema},${JSON.stringify(settings).slice(1)}`);
  if (response.ok) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
  const content = (await response.json().catch(() => undefined)) as Content | undefined;
  throw refusal('generate', response, content);
}

/** @param body JSON with the schema as the user wrote it */
async function send(body: string): Promise<Response> {
  try {
    return await sessionFetch(`${client.baseUrl}/generate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch {
    throw new ConnectionError('generate: the server sent no response', undefined, undefined);
  }
}
