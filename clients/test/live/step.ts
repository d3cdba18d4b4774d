import type { ReceivedWebhook } from '@understudy/testing';

import type { PlayerResponse } from '../support/player.js';

/** One call of a method of a client, with the expected outcome. Ids of earlier results flow into later calls. */
export interface Step {
  /** The method, as `x-client-method` of openapi.json writes it, or one of the hand-written methods. */
  readonly call: string;
  /** Describes the call in titles of tests. No other step with this method has the same text. */
  readonly title: string;
  /** The name under which later steps find the result. By default, this is `call`. */
  readonly as?: string;
  readonly request?: (seen: Seen) => StepRequest | Promise<StepRequest>;
  /** Repeats the call until the result meets the condition. */
  readonly until?: (result: StepResult) => boolean;
  /** The result depends on how far the work is, so it is not compared with those of other clients. */
  readonly inProgress?: true;
  /** The expected parts of the response of the player. It contains `result` or `error`. */
  readonly response: Partial<Omit<PlayerResponse, 'error'>> & { readonly error?: unknown };
}

/** The fields of the player's request other than `id` and `call`. */
export type StepRequest = Readonly<Record<string, unknown>>;
export type StepResult = Readonly<Record<string, unknown>>;

/** The results of earlier steps of the same client. */
export interface Seen {
  /**
   * Returns a text in an earlier result.
   * @param step `call` or `as` of the step; of several steps, the first one counts
   * @param field the names of the fields and the indexes of the items that lead to the text, separated by dots
   */
  text(step: string, field?: string): string;
  /** Waits for the request with a webhook event. */
  webhook(eventId: string): Promise<ReceivedWebhook>;
  /** The URL of the webhook receiver. */
  readonly receiver: string;
}

/** Creates a request whose path contains the id in the result of an earlier step. */
export const at =
  (step: string, more: StepRequest = {}) =>
  (seen: Seen): StepRequest => ({ path: [seen.text(step)], ...more });

export const send = (body: StepResult) => (): StepRequest => ({ body });

export const filter = (query: StepResult) => (): StepRequest => ({ query });

/** The title of steps that request one page of a list. */
export const PAGE = 'returns a page';
/** The title of steps that use an iterator. */
export const ALL_PAGES = 'yields the items of all pages';
/** The outcome of most DELETE requests. */
export const DELETED = { result: { deleted: true } };
export const NOT_FOUND = { error: { class: 'NotFoundError', status: 404, code: 'not_found' } };
