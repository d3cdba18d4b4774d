import { OptionalBody } from './optional-body.js';

/** For requests without fields: no body, or an empty object; any field is refused by name. */
@OptionalBody()
export class NoBody {}
