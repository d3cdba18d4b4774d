import type { Caller } from './caller.js';

/** A request as features see it: what its effects are recorded under. */
export interface ApiRequest {
  /** `req_` + ULID; also in the answer and in the log. */
  readonly id: string;
}

export interface CallerRequest extends ApiRequest {
  readonly caller: Caller;
}
