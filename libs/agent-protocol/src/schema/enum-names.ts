type GeneratedEnum = Readonly<Record<string, string | number>>;

/** The names of an enum's values in lower case. The value 0 means "not specified" and has no name. */
export type EnumName<E> = Lowercase<Exclude<keyof E & string, 'UNSPECIFIED'>>;

/**
 * Returns the name of a value, for example `connection_failed`. Returns undefined for 0 and for values that
 * only a newer schema defines.
 */
export function enumName<E extends GeneratedEnum>(generated: E, value: number): EnumName<E> | undefined {
  const name = generated[value];
  return typeof name !== 'string' || name === 'UNSPECIFIED' ? undefined : (name.toLowerCase() as EnumName<E>);
}

/**
 * Returns the value of a name, or 0 for undefined. The compiler rejects a name that the enum does not have.
 */
export function enumValue<E extends GeneratedEnum>(
  generated: E,
  name: EnumName<E> | undefined,
): E[keyof E & string] {
  return generated[name?.toUpperCase() ?? 'UNSPECIFIED'] as E[keyof E & string];
}
