/** JSON Schema 2020-12, as far as documents hold it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const documented = new WeakMap<object, Map<string, JsonSchema>>();

/**
 * What the API's description says of a field of a DTO, beside what its validators say already.
 * @param more keywords that no validator says: `examples`, `default`. With a `type` it takes the place of what the
 *   validators say: query parameters arrive as texts and mean numbers
 */
export function Documented(description: string, more: JsonSchema = {}): PropertyDecorator {
  return (target, property) => {
    const properties = documented.get(target) ?? new Map<string, JsonSchema>();
    documented.set(target, properties.set(String(property), { description, ...more }));
  };
}

/** Of the class or one that it extends. */
export function documentationOf(dto: new () => object, property: string): JsonSchema | undefined {
  for (let target: object | null = dto.prototype as object; target; target = Object.getPrototypeOf(target)) {
    const found = documented.get(target)?.get(property);
    if (found) return found;
  }
  return undefined;
}
