const optional = new WeakSet<object>();

/** The body may be left out; it counts as an empty object then. */
export function OptionalBody(): ClassDecorator {
  return (dto) => void optional.add(dto);
}

export function isOptionalBody(dto: object): boolean {
  return optional.has(dto);
}
