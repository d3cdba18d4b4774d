const optional = new WeakSet<object>();

/** Makes the body optional. A missing body counts as an empty object. */
export function OptionalBody(): ClassDecorator {
  return (dto) => void optional.add(dto);
}

export function isOptionalBody(dto: object): boolean {
  return optional.has(dto);
}

/**
 * The body of a request without fields. It may be missing or an empty object; an error names any field in it.
 */
@OptionalBody()
export class NoBody {}

/** The query of a route without query parameters. An error names any parameter. */
export class NoQuery {}
