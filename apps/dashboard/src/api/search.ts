/** Readers of the values in the part of an address after `?`, by their names. Each returns undefined for a wrong value. */
type Readers = Readonly<Record<string, (value: unknown) => string | undefined>>;

/** The values of an address, as a page uses them. A value that is missing or wrong is absent. */
export type SearchOf<Known extends Readers> = {
  readonly [Name in keyof Known]?: NonNullable<ReturnType<Known[Name]>>;
};

/** Returns a function that reads the values of an address. It leaves out what the readers do not know. */
export function searchReader<Known extends Readers>(readers: Known) {
  return (search: Record<string, unknown>): SearchOf<Known> => {
    const values = Object.entries(readers).map(([name, read]) => [name, read(search[name])] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as SearchOf<Known>;
  };
}

/** Returns a reader of one of several texts. The default is left out, so that an address has one form. */
export function oneOf<Value extends string>(known: readonly Value[], byDefault?: Value) {
  return (value: unknown): Value | undefined =>
    value === byDefault ? undefined : known.find((each) => each === value);
}

/** Returns a reader of a text that matches a pattern. */
export function textLike(pattern: RegExp) {
  return (value: unknown): string | undefined =>
    typeof value === 'string' && pattern.test(value) ? value : undefined;
}
