import type { Answer, ControlPlane, RequestOptions } from '../harness/start-control-plane.js';

export type Json = Record<string, unknown>;

export const svc = (algorithm: string, params?: Json): Json => ({
  type: 'svc',
  algorithm,
  ...(params && { params }),
});

/** Of one field. */
export const schemaOf = (definition: Json, name = 'it'): Json => ({
  generators: { [name]: definition },
  output: [name],
});

export const NUMBERS = schemaOf(svc('sequence'), 'n');
export const UUIDS = schemaOf(svc('uuid_v4'), 'id');

export interface MadeEndpoint {
  readonly id: string;
  /** Of the server that made it; the path as it was given. */
  readonly url: string;
}

export interface MockAnswer extends Answer {
  readonly json: unknown;
}

/** @returns the endpoint; any answer but 201 fails the test */
export async function makeEndpoint(
  plane: ControlPlane,
  body: Json,
  token = plane.token,
): Promise<MadeEndpoint> {
  const answer = await createEndpoint(plane, body, { token });
  if (answer.status !== 201) throw new Error(answer.text);
  const { data } = answer.body as unknown as { data: { id: string; path: string } };
  return { id: data.id, url: `/mock/${data.id}${data.path}` };
}

let made = 0;

/** On a path of its own unless the body has one. */
export function createEndpoint(
  plane: ControlPlane,
  body: Json,
  options: RequestOptions = {},
): Promise<Answer> {
  made += 1;
  const endpoint = { path: `/made/${made}`, method: 'GET', schema: NUMBERS, ...body };
  return plane.request('/v1/mock/endpoints', { method: 'POST', body: endpoint, ...options });
}

/** Calls an endpoint as a front end does, without a token. */
export async function call(
  plane: ControlPlane,
  url: string,
  options: RequestOptions = {},
): Promise<MockAnswer> {
  const answer = await plane.request(url, { token: null, ...options });
  return { ...answer, json: answer.text === '' ? undefined : (JSON.parse(answer.text) as unknown) };
}

/** The error's code, its first path and message, as one text. */
export function refusalOf({ status, body }: Answer): string {
  const { error } = body as unknown as {
    error?: { code: string; message: string; details?: { field: string; message: string }[] };
  };
  const [detail] = error?.details ?? [];
  return `${status} ${error?.code} ${detail ? `${detail.field}: ${detail.message}` : (error?.message ?? '')}`;
}
