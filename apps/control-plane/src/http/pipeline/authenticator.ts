import type { Caller } from './caller.js';

/** Port of the HTTP edge; the tokens feature implements it. */
export abstract class Authenticator {
  /**
   * @param header the Authorization header as it came
   * @param beforeLookUp awaited before the database is asked about a token that was not valid here lately
   * @throws ApiError `unauthorized`, the same for every reason; and what `beforeLookUp` throws
   */
  abstract authenticate(header: string | undefined, beforeLookUp: () => Promise<void>): Promise<Caller>;
}
