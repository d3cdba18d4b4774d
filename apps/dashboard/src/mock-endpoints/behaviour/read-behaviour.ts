import { parseKeptJson, writeExactJson } from '@understudy/expression';
import type { MockResponse, MockResponseRequest } from '@understudy/client';

import { BEHAVIOUR } from './texts.js';

/** The fields of the form that describe how an endpoint responds. */
export interface Behaviour {
  /** JSON or one template. Empty for the array of records. */
  readonly wrapper: string;
  readonly status: number | null;
  /** One header a line, as `Name: value`. */
  readonly headers: string;
  /** The delay in milliseconds: each call gets a random one between both. */
  readonly minLatency: number | null;
  readonly maxLatency: number | null;
  /** The percentage of the calls that fail. */
  readonly failures: number | null;
}

export type BehaviourErrors = Partial<Record<keyof Behaviour, string | undefined>>;

export const DEFAULT_BEHAVIOUR: Behaviour = {
  wrapper: '',
  status: 200,
  headers: '',
  minLatency: 0,
  maxLatency: 0,
  failures: 0,
};

/** Limits of the API. */
export const MAX_LATENCY_MS = 30_000;
const MAX_HEADERS = 20;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;
const HEADER_VALUE = /^[\x21-\x7e]([\x20-\x7e\t]{0,1022}[\x21-\x7e])?$/;

export type ReadBehaviour =
  | { readonly response: Omit<MockResponseRequest, 'count'>; readonly errors?: undefined }
  | { readonly errors: BehaviourErrors };

/** Converts the fields to the response of a request. The API also refuses headers that it controls itself. */
export function readBehaviour(fields: Behaviour): ReadBehaviour {
  const wrapper = readWrapper(fields.wrapper);
  const headers = readHeaders(fields.headers);
  const { status } = fields;
  const min = fields.minLatency ?? 0;
  const max = fields.maxLatency ?? 0;
  const errors: BehaviourErrors = {
    ...('error' in wrapper && { wrapper: wrapper.error }),
    ...('error' in headers && { headers: headers.error }),
    ...(status !== null && status >= 300 && status < 400 && { status: BEHAVIOUR.redirect }),
    ...(min > max && { maxLatency: BEHAVIOUR.latencyOrder(min) }),
  };
  if ('error' in wrapper || 'error' in headers || Object.keys(errors).length > 0) return { errors };
  return {
    response: {
      status: status ?? undefined,
      latency_ms: min === max ? min : { min, max },
      fail_rate: Number(((fields.failures ?? 0) / 100).toFixed(6)),
      headers: headers.value,
      ...(wrapper.value !== undefined && { wrapper: wrapper.value }),
    },
  };
}

/** Returns the names of the settings that differ from those of a new endpoint. */
export function changedSettings(fields: Behaviour): string[] {
  const keys = Object.keys(DEFAULT_BEHAVIOUR) as (keyof Behaviour)[];
  const changed = keys.filter((key) => fields[key] !== DEFAULT_BEHAVIOUR[key]);
  return [...new Set(changed.map((key) => BEHAVIOUR.names[key]))];
}

/** Returns the body of the response as it was given, or undefined if it is the array of records. */
export function wrapperText({ wrapper }: MockResponse): string | undefined {
  if (wrapper === '{{records}}') return undefined;
  return typeof wrapper === 'string' ? wrapper : writeExactJson(wrapper, '  ');
}

type Read<Value> = { readonly value: Value } | { readonly error: string };

/** A text that begins like JSON must be JSON. Any other text is a template. */
function readWrapper(text: string): Read<unknown> {
  const trimmed = text.trim();
  if (trimmed === '') return { value: undefined };
  if (!/^(?:\{(?!\{)|[["])/.test(trimmed)) return { value: trimmed };
  try {
    return { value: parseKeptJson(trimmed) as unknown };
  } catch (error) {
    return { error: BEHAVIOUR.wrapperInvalid(error instanceof SyntaxError ? error.message : '') };
  }
}

function readHeaders(text: string): Read<Record<string, string>> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length > MAX_HEADERS) return { error: BEHAVIOUR.tooManyHeaders(MAX_HEADERS, lines.length) };
  const headers = new Map<string, readonly [string, string]>();
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]*):(.*)$/.exec(line) ?? [];
    const pair = [name.trim(), value.trim()] as const;
    if (!HEADER_NAME.test(pair[0]) || !HEADER_VALUE.test(pair[1]))
      return { error: BEHAVIOUR.headerInvalid(line.trim().slice(0, 60)) };
    if (headers.has(pair[0].toLowerCase())) return { error: BEHAVIOUR.headerTwice(pair[0]) };
    headers.set(pair[0].toLowerCase(), pair);
  }
  return { value: Object.fromEntries(headers.values()) };
}
