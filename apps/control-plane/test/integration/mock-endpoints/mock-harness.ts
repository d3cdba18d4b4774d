import type { ApiResponse, ControlPlane, RequestOptions } from '../harness/start-control-plane.js';

export type Json = Record<string, unknown>;

export const svc = (algorithm: string, params?: Json): Json => ({
  type: 'svc',
  algorithm,
  ...(params && { params }),
});

/** A schema with one field. */
export const schemaOf = (definition: Json, name = 'it'): Json => ({
  generators: { [name]: definition },
  output: [name],
});

export const NUMBERS = schemaOf(svc('sequence'), 'n');
export const UUIDS = schemaOf(svc('uuid_v4'), 'id');

export interface MadeEndpoint {
  readonly id: string;
  /** `/mock/`, the id of the endpoint and its path, without a host. */
  readonly url: string;
}

export interface MockResponse extends ApiResponse {
  readonly json: unknown;
}

/** Creates an endpoint and returns it. Any status other than 201 fails the test. */
export async function makeEndpoint(
  plane: ControlPlane,
  body: Json,
  token = plane.token,
): Promise<MadeEndpoint> {
  const response = await createEndpoint(plane, body, { token });
  if (response.status !== 201) throw new Error(response.text);
  const { data } = response.body as unknown as { data: { id: string; path: string } };
  return { id: data.id, url: `/mock/${data.id}${data.path}` };
}

let made = 0;

/** Creates an endpoint with a unique path, unless the body contains a path. */
export function createEndpoint(
  plane: ControlPlane,
  body: Json,
  options: RequestOptions = {},
): Promise<ApiResponse> {
  made += 1;
  const endpoint = { path: `/made/${made}`, method: 'GET', schema: NUMBERS, ...body };
  return plane.request('/v1/mock/endpoints', { method: 'POST', body: endpoint, ...options });
}

/** Calls an endpoint without a token, as a front end does. */
export async function call(
  plane: ControlPlane,
  url: string,
  options: RequestOptions = {},
): Promise<MockResponse> {
  const response = await plane.request(url, { token: null, ...options });
  return { ...response, json: response.text === '' ? undefined : (JSON.parse(response.text) as unknown) };
}

/** Returns the error's code, its first path and its message as one string. */
export function refusalOf({ status, body }: ApiResponse): string {
  const { error } = body as unknown as {
    error?: { code: string; message: string; details?: { field: string; message: string }[] };
  };
  const [detail] = error?.details ?? [];
  return `${status} ${error?.code} ${detail ? `${detail.field}: ${detail.message}` : (error?.message ?? '')}`;
}
