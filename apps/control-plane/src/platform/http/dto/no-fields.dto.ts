const optional = new WeakSet<object>();

/** Makes the body optional. A missing body is treated as an empty object. */
export function OptionalBody(): ClassDecorator {
  return (dto) => void optional.add(dto);
}

export function isOptionalBody(dto: object): boolean {
  return optional.has(dto);
}

/** The input of a request that takes none. A field or parameter is refused with an error that names it. */
@OptionalBody()
export class NoFields {}
