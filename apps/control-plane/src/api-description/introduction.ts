import { PREFIX, type Operation } from '../platform/http/operations/operation.js';

/** Returns the description of the whole API in Markdown. */
export function introduction(operations: readonly Operation[]): string {
  const bare = operations.flatMap((operation) => {
    const { method, response } = operation;
    const name = `\`${method} ${openApiPath(operation)}\``;
    if ('data' in response) return response.alternatives ? [`${name} in another format than JSON`] : [];
    return [name];
  });
  const pairs = ambiguousPaths([...new Set(operations.map(openApiPath))]);
  const paths = pairs.map(([one, other]) => `- \`${one}\` and \`${other}\``);
  return `The control plane generates synthetic data and dispatches jobs that copy, mask and restore databases. Rows of your databases never reach it.

A successful response is \`{data, meta}\`; an error is \`{error, meta}\`. Times are ISO 8601 in UTC. An unknown time is null, never absent. Unknown query parameters and unknown body fields are refused with their path. Responses may gain fields; clients must ignore unknown ones.

The successful responses of these operations have no envelope:

${bare.map((name) => `- ${name}`).join('\n')}

The same URL can match both paths of each of these pairs. Every id begins with a prefix such as \`agt_\`, so a URL with the id of a resource matches only one of them.

${paths.join('\n')}`;
}

/** Returns the path of an operation in the notation of OpenAPI, without the prefix: `/sync/jobs/{id}`. */
export function openApiPath({ path }: Operation): string {
  return path.slice(PREFIX.length).replace(/:(\w+)/g, '{$1}');
}

/**
 * Returns the pairs of paths that one URL can match, without pairs of which one path is more precise. Each path of a
 * pair has a fixed segment where the other one has a parameter.
 */
export function ambiguousPaths(paths: readonly string[]): (readonly [string, string])[] {
  return paths.flatMap((one, index) =>
    paths.slice(index + 1).flatMap((other) => (isAmbiguous(one, other) ? [[one, other] as const] : [])),
  );
}

function isAmbiguous(one: string, other: string): boolean {
  const others = other.split('/');
  const pairs = one.split('/').map((segment, index) => [segment, others[index] ?? ''] as const);
  const differing = pairs.filter(
    ([left, right]) => left !== right && !(isParameter(left) && isParameter(right)),
  );
  return (
    pairs.length === others.length &&
    differing.some(([left]) => isParameter(left)) &&
    differing.some(([, right]) => isParameter(right)) &&
    differing.every((pair) => pair.some(isParameter))
  );
}

const isParameter = (segment: string): boolean => segment.startsWith('{');
