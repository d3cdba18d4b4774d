import { ApiError, ConnectionError, StreamInterruptedError } from '@understudy/client';

import { PROBLEM_TEXTS } from './texts.js';

/** A failed call, as `ErrorNotice` shows it. */
export interface Problem {
  readonly title: string;
  /** The message of the server, or what happened instead. */
  readonly text: string;
  /** The next step for the reader. */
  readonly remedy: string;
  /** The id under which the server logged the call. */
  readonly requestId?: string;
  /** One text for each wrong field. */
  readonly details: readonly string[];
  /** The status of the response; undefined if there was none. */
  readonly status?: number;
  /** The stable code of the error; undefined if there was no response. */
  readonly code?: string;
}

/** Returns what to show for any thrown value. */
export function problemOf(error: unknown, isOnline = navigator.onLine): Problem {
  if (error instanceof ApiError) return apiProblem(error);
  if (error instanceof ConnectionError)
    return { ...(isOnline ? PROBLEM_TEXTS.unreachable : PROBLEM_TEXTS.offline), details: [] };
  if (error instanceof StreamInterruptedError)
    return { ...PROBLEM_TEXTS.interrupted, text: error.message, details: [] };
  return { ...PROBLEM_TEXTS.unknown, details: [] };
}

function apiProblem(error: ApiError): Problem {
  const { title, remedy } = textsOf(error.status);
  return {
    title,
    text: serverMessage(error),
    remedy: typeof remedy === 'function' ? remedy(error.retryAfter) : remedy,
    details: error.details.map(({ field, message }) => `${field}: ${message}`),
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

/**
 * Returns the problems of the fields of a form, for the property `error` of each field.
 * @param fields maps a path of the API, such as `email` or `scopes`, to a field of the form. A problem below a path,
 *   such as `scopes[0]`, belongs to the longest path that contains it
 */
export function fieldProblems<Field extends string>(
  error: unknown,
  fields: Readonly<Record<string, Field>>,
): Partial<Record<Field, string>> {
  const problems: Partial<Record<Field, string>> = {};
  for (const { field: path, message } of error instanceof ApiError ? error.details : []) {
    const [known] = Object.keys(fields)
      .filter((name) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`))
      .sort((one, other) => other.length - one.length);
    const field = known === undefined ? undefined : fields[known];
    if (field !== undefined) problems[field] ??= message;
  }
  return problems;
}
