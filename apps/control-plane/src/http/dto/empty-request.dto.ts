const optional = new WeakSet<object>();

/** The body may be left out; it counts as an empty object then. */
export function OptionalBody(): ClassDecorator {
  return (dto) => void optional.add(dto);
}

export function isOptionalBody(dto: object): boolean {
  return optional.has(dto);
}

/** For requests without fields: no body, or an empty object; any field is refused by name. */
@OptionalBody()
export class NoBody {}

/** For routes that take no query parameters: any is refused by name. */
export class NoQuery {}
