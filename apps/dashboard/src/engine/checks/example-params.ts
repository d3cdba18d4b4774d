import { isObject } from '@understudy/sync-job';

/** A value for each type of a required param. */
const VALUES: Readonly<Record<string, unknown>> = {
  string: 'example',
  number: 1,
  integer: 1,
  boolean: true,
  array: [],
  object: {},
};

/**
 * Returns values for the required params of a composition, so that it can show samples. The others keep their default.
 * @param manifest the `params` of the composition, as its author wrote them
 */
export function exampleParams(manifest: unknown): Record<string, unknown> {
  const entries = Object.entries(isObject(manifest) ? manifest : {});
  return Object.fromEntries(
    entries.flatMap(([name, declared]) =>
      isObject(declared) && declared['required'] === true
        ? [[name, VALUES[String(declared['type'])] ?? 'example']]
        : [],
    ),
  );
}
