/** For routes that take no query parameters: any is refused by name. */
export class NoQuery {}
