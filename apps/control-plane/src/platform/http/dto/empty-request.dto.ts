const optional = new WeakSet<object>();

/** Makes the body optional. A missing body is treated as an empty object. */
export function OptionalBody(): ClassDecorator {
  return (dto) => void optional.add(dto);
}

export function isOptionalBody(dto: object): boolean {
  return optional.has(dto);
}

/**
 * The body of a request without fields. It may be missing or an empty object. If it has a field, the request
 * is refused with an error that names the field.
 */
@OptionalBody()
export class NoBody {}

/**
 * The query of a route without query parameters. If the query has a parameter, the request is refused with an
 * error that names the parameter.
 */
export class NoQuery {}
