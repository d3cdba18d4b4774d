import { ErrorNotice, Skeleton, toast } from '@understudy/ui';

import { otherProblem, problemOf } from './problem.js';

/**
 * A failed call, with what the reader can do. Empty while there is no error.
 * @param fields the paths of the API whose problems the fields of a form show, as for `fieldProblems`. The notice leaves
 *   them out, and is empty if nothing else is wrong
 * @param titles titles by the status of the response, for refusals whose message contains the fix
 */
export function ProblemNotice({
  error,
  fields,
  titles = {},
  onRetry,
}: {
  readonly error: unknown;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  readonly titles?: Readonly<Record<number, string>> | undefined;
  readonly onRetry?: (() => unknown) | undefined;
}) {
  const problem = otherProblem(error, fields);
  if (problem === undefined) return undefined;
  const title = titles[problem.status ?? 0];
  const shown = title === undefined ? problem : { ...problem, title, remedy: undefined };
  return <ErrorNotice problem={shown} {...(onRetry && { onRetry: () => void onRetry() })} />;
}

/**
 * The state of a query, above its data: a skeleton while there is none, and the failure of the last call. Data that was
 * loaded before stays.
 * @param lines the height of the skeleton
 */
export function QueryState({
  query: { data, error, refetch },
  lines = 6,
}: {
  readonly query: { readonly data: unknown; readonly error: unknown; readonly refetch: () => unknown };
  readonly lines?: number;
}) {
  if (error) return <ProblemNotice error={error} onRetry={() => refetch()} />;
  return data === undefined ? <Skeleton lines={lines} /> : null;
}

/** Reports the failure of an action without its own error area. */
export function toastProblem(error: unknown): void {
  const { title, text, remedy, requestId } = problemOf(error);
  toast.error(title, `${text} ${remedy}`, requestId);
}
