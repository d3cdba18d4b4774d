import type { Caller } from './caller.js';

/** Port of the HTTP edge; the tokens feature implements it. */
export abstract class Authenticator {
  /**
   * @param header the Authorization header as it came
   * @throws ApiError `unauthorized`, the same for every reason
   */
  abstract authenticate(header: string | undefined): Promise<Caller>;
}
