import type { Caller } from './caller.js';
import type { Calls } from '../operations/operation.js';

/** Port of the HTTP edge; the usage feature implements it. */
export abstract class CallMeter {
  /** Counts a call that is about to be served. @throws ApiError `quota_exceeded` instead, when the plan's calls are used */
  abstract admit(caller: Caller, calls: Calls): void;
}
