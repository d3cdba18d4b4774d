import {
  startControlPlane,
  type ApiResponse,
  type ControlPlane,
} from '../integration/harness/start-control-plane.js';

export type Json = Record<string, unknown>;

export interface GenerationOptions {
  readonly count?: number;
  readonly seed?: number;
  readonly now?: string;
  /** Other generators in the schema. */
  readonly beside?: Json;
}

/** Sends requests to POST /v1/generate. In each schema, `definition` defines the generator named `it`. */
export interface GenerationHarness {
  readonly plane: ControlPlane;
  post(body: unknown): Promise<ApiResponse>;
  /** Returns the values of the generator, one per record. Any status other than 200 fails the test. */
  values(definition: Json, options?: GenerationOptions): Promise<unknown[]>;
  /** Returns the error's code, its first path and its message as one string. */
  refusal(definition: Json, options?: GenerationOptions): Promise<string>;
}

const NOW = '2026-01-01T00:00:00.000Z';

export async function startGeneration(): Promise<GenerationHarness> {
  const plane = await startControlPlane();
  const post = (body: unknown) => plane.request('/v1/generate', { method: 'POST', body });
  const ask = (definition: Json, { count = 100, seed = 1, now = NOW, beside = {} }: GenerationOptions) =>
    post({ schema: { generators: { it: definition, ...beside }, output: ['it'] }, count, seed, now });
  return {
    plane,
    post,
    values: async (definition, options = {}) => {
      const response = await ask(definition, options);
      if (response.status !== 200) throw new Error(response.text);
      const { data } = response.body as unknown as { data: { records: { it: unknown }[] } };
      return data.records.map(({ it }) => it);
    },
    refusal: async (definition, options = {}) => {
      const { status, text, body } = await ask(definition, options);
      if (status !== 422) throw new Error(`${status}: ${text}`);
      const { error } = body as unknown as {
        error: { code: string; details: { field: string; message: string }[] };
      };
      return `${error.code} ${error.details[0]?.field ?? ''}: ${error.details[0]?.message ?? ''}`;
    },
  };
}

export function svc(algorithm: string, params?: Json): Json {
  return { type: 'svc', algorithm, ...(params && { params }) };
}
