import { ApiError, ConnectionError, StreamInterruptedError } from '@understudy/client';
import type { Problem as ShownProblem } from '@understudy/ui';

import { CodeNotLoadedError } from './lazy-page.js';
import { PROBLEM_TEXTS } from './texts.js';

/** A failed call, as `ErrorNotice` shows it. The text is the message of the server, or what happened instead. */
export interface Problem extends ShownProblem {
  /** The next step for the reader. */
  readonly remedy: string;
  /** The status of the response; undefined if there was none. */
  readonly status?: number;
  /** The stable code of the error; undefined if there was no response. */
  readonly code?: string;
}

/** Returns what to show for any thrown value. */
export function problemOf(error: unknown, isOnline = navigator.onLine): Problem {
  if (error instanceof ApiError) return apiProblem(error);
  if (error instanceof ConnectionError) return isOnline ? PROBLEM_TEXTS.unreachable : PROBLEM_TEXTS.offline;
  if (error instanceof CodeNotLoadedError) return isOnline ? PROBLEM_TEXTS.notLoaded : PROBLEM_TEXTS.offline;
  if (error instanceof StreamInterruptedError) return { ...PROBLEM_TEXTS.interrupted, text: error.message };
  return PROBLEM_TEXTS.unknown;
}

function apiProblem(error: ApiError): Problem {
  const { title, remedy } = textsOf(error.status);
  return {
    title,
    text: serverMessage(error),
    remedy: typeof remedy === 'function' ? remedy(error.retryAfter) : remedy,
    details: error.details.map(detailText),
    status: error.status,
    code: error.code,
    ...(error.requestId !== undefined && { requestId: error.requestId }),
  };
}

const TEXTS_OF_STATUS: Readonly<Record<number, keyof typeof PROBLEM_TEXTS>> = {
  400: 'invalid',
  401: 'unauthorized',
  402: 'quota',
  403: 'forbidden',
  404: 'notFound',
  409: 'conflict',
  413: 'tooLarge',
  415: 'invalid',
  422: 'invalid',
  429: 'rateLimit',
  503: 'unavailable',
};

function textsOf(status: number) {
  return PROBLEM_TEXTS[TEXTS_OF_STATUS[status] ?? (status >= 500 ? 'server' : 'unknown')];
}

/** Returns the server's own message. The client adds the operation, the status, the request id and the fields. */
function serverMessage({ message, operation, status, code, requestId }: ApiError): string {
  const [line = ''] = message.split('\n', 1);
  const start = `${operation}: ${status} ${code}: `;
  const end = requestId === undefined ? '' : ` (${requestId})`;
  return line.slice(
    line.startsWith(start) ? start.length : 0,
    line.endsWith(end) ? -end.length || undefined : undefined,
  );
}

/** Maps a path of the API, such as `email` or `scopes`, to a field of a form. */
type Fields<Field extends string = string> = Readonly<Record<string, Field>>;

/**
 * Returns the problems of the fields of a form, for the property `error` of each field. A problem below a path, such as
 * `scopes[0]`, belongs to the longest path that contains it.
 */
export function fieldProblems<Field extends string>(
  error: unknown,
  fields: Fields<Field>,
): Partial<Record<Field, string>> {
  const problems: Partial<Record<Field, string>> = {};
  for (const { field: path, message } of error instanceof ApiError ? error.details : []) {
    const field = fieldOf(path, fields);
    if (field !== undefined) problems[field] ??= message;
  }
  return problems;
}

function fieldOf<Field extends string>(path: string, fields: Fields<Field>): Field | undefined {
  const [known] = Object.keys(fields)
    .filter((name) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`))
    .sort((one, other) => other.length - one.length);
  return known === undefined ? undefined : fields[known];
}

/**
 * Returns what a form shows above its fields.
 * @param error a thrown value; nothing is shown for null and undefined
 * @param fields the same as for `fieldProblems`, whose problems are left out
 * @returns undefined if each problem is at its field
 */
export function otherProblem(
  error: unknown,
  fields: Fields = {},
  isOnline = navigator.onLine,
): Problem | undefined {
  if (error === null || error === undefined) return undefined;
  const problem = problemOf(error, isOnline);
  if (!(error instanceof ApiError) || error.details.length === 0) return problem;
  const others = error.details.filter(({ field }) => fieldOf(field, fields) === undefined);
  return others.length === 0 ? undefined : { ...problem, details: others.map(detailText) };
}

const detailText = ({ field, message }: ApiError['details'][number]) => `${field}: ${message}`;
