/** A JSON Schema 2020-12 object, as the API description contains it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const documented = new WeakMap<object, Map<string, JsonSchema>>();

/**
 * Adds a description and JSON Schema keywords to a DTO field in the API description.
 * @param more keywords such as `examples` and `default`. If they include `type`, they replace the schema that
 *   is derived from the validators. Set `type` for numeric query parameters, because their validators check
 *   texts.
 */
export function Documented(description: string, more: JsonSchema = {}): PropertyDecorator {
  return (target, property) => {
    const properties = documented.get(target) ?? new Map<string, JsonSchema>();
    documented.set(target, properties.set(String(property), { description, ...more }));
  };
}

/** Returns the documentation of a field from the class itself or from a class that it extends. */
export function documentationOf(dto: new () => object, property: string): JsonSchema | undefined {
  for (let target: object | null = dto.prototype as object; target; target = Object.getPrototypeOf(target)) {
    const found = documented.get(target)?.get(property);
    if (found) return found;
  }
  return undefined;
}
