export type DtoClass = new () => object;

/** Prototype of a DTO → property → what it holds. */
const nested = new WeakMap<object, Map<string, () => DtoClass>>();

/** The property holds another DTO, or an array of them; read as such before class-validator's `@ValidateNested`. */
export function Nested(type: () => DtoClass): PropertyDecorator {
  return (target, property) => {
    const properties = nested.get(target) ?? new Map<string, () => DtoClass>();
    nested.set(target, properties.set(String(property), type));
  };
}

export function nestedType(dto: DtoClass, property: string): DtoClass | undefined {
  return nested.get(dto.prototype as object)?.get(property)?.();
}
