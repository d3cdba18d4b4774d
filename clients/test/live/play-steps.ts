import { waitFor, type WebhookReceiver } from '@understudy/testing';

import type { Player, PlayerResponse } from '../support/player.js';
import type { Seen, Step, StepResult } from './step.js';

/** The response of the player to a step, or the reason why there is none. */
export type Outcome = { readonly response: PlayerResponse } | { readonly problem: string };

/** How a client reaches the API. */
export interface Connection {
  readonly base_url: string;
  readonly token: string;
}

/** Plays steps with one client, and remembers the outcomes. */
export class StepPlayer {
  readonly outcomes = new Map<Step, Outcome>();
  private readonly results = new Map<string, unknown>();
  private readonly seen: Seen;

  constructor(
    private readonly player: Player,
    private readonly connection: Connection,
    receiver: WebhookReceiver,
  ) {
    this.seen = {
      text: (step, field = 'id') => this.text(step, field),
      webhook: (eventId) => receiver.event(eventId),
      receiver: receiver.url,
    };
  }

  /** Plays the steps in order. A step that fails does not end the play, but later steps may need its result. */
  async play(steps: readonly Step[]): Promise<void> {
    for (const step of steps) this.outcomes.set(step, await this.outcomeOf(step));
  }

  private async outcomeOf(step: Step): Promise<Outcome> {
    try {
      const response = await this.responseTo(step);
      const name = step.as ?? step.call;
      if (!this.results.has(name)) this.results.set(name, response.result);
      return { response };
    } catch (error) {
      return { problem: error instanceof Error ? error.message : String(error) };
    }
  }

  private async responseTo({ call, request, until }: Step): Promise<PlayerResponse> {
    const { client = {}, ...fields } = (await request?.(this.seen)) ?? {};
    const { base_url, token } = this.connection;
    const isPublic = 'without_token' in (client as StepResult);
    const options = { base_url, ...(isPublic ? {} : { token }), ...(client as StepResult) };
    const play = () => this.player.play({ call, client: options, ...fields });
    if (until === undefined) return play();
    return waitFor(`the end of ${call}`, async () => {
      const response = await play();
      const isOver = response.error !== undefined || until(response.result as StepResult);
      return isOver && response;
    });
  }

  private text(step: string, field: string): string {
    const value = field
      .split('.')
      .reduce<unknown>((node, name) => (node as StepResult | undefined)?.[name], this.results.get(step));
    if (typeof value === 'string') return value;
    throw new Error(`expected a text in ${field} of the result of "${step}", which is needed here`);
  }
}
