import { CheckFailure, type CheckReport, CheckSkipped } from '@understudy/operator-commands';
import type { Outbound } from '@understudy/outbound';

import type { AgentConfiguration } from '../../../config/agent-configuration.js';
import {
  type AgentCredentials,
  ENROLMENT_TOKEN,
  EnrolmentError,
  renew,
} from '../../../identity/enrolment-client.js';
import type { FolderState } from './state-folder.js';

export interface IdentityCheck {
  readonly configuration: AgentConfiguration;
  readonly outbound: Outbound;
  readonly state: FolderState;
  /** Whether the API of the control plane responds. */
  readonly isReached: boolean;
}

/**
 * Checks the enrolment token of a new agent, or the identity of an enrolled one. Does not use the token, and sends no
 * request while an agent runs. The renewal names no process, so it does not take the identity over.
 * @returns credentials of an agent that does not run
 */
export async function checkIdentity(
  report: CheckReport,
  { configuration: { controlUrl, enrolmentToken }, outbound, state, isReached }: IdentityCheck,
): Promise<AgentCredentials | undefined> {
  const { agentId, natsSeed } = state.identity ?? {};
  const isEnrolled = agentId !== undefined && natsSeed !== undefined;
  await report.step('enrolment token', () => Promise.resolve(judgeToken(enrolmentToken, isEnrolled)));
  if (!isEnrolled) return report.skip('credential', 'because the agent is not enrolled yet');
  return report.step('credential', async () => {
    if (state.running !== undefined)
      throw new CheckSkipped(
        'because an agent runs with this identity; "understudy-agent status" prints its state',
      );
    if (!isReached) throw new CheckSkipped('because the API of the control plane does not respond');
    const credentials = await renew(outbound, controlUrl, { agentId, natsSeed }, undefined, new Date()).catch(
      (error: unknown) => {
        throw error instanceof EnrolmentError ? refusalOf(error) : error;
      },
    );
    return { facts: `the control plane accepts ${agentId}`, value: credentials };
  });
}

function judgeToken(token: string | undefined, isEnrolled: boolean) {
  if (isEnrolled) {
    if (token === undefined) throw new CheckSkipped('not needed, because the agent is enrolled');
    return {
      facts: 'set, although the agent is enrolled',
      value: undefined,
      warning:
        'the agent ignores it; remove UNDERSTUDY_AGENT_ENROLMENT_TOKEN from the environment, or delete its file',
    };
  }
  const create = 'an administrator creates a token with POST /v1/agents/enrolment-tokens';
  if (token === undefined) throw new CheckFailure('UNDERSTUDY_AGENT_ENROLMENT_TOKEN is not set', create);
  if (!ENROLMENT_TOKEN.test(token))
    throw new CheckFailure(
      'UNDERSTUDY_AGENT_ENROLMENT_TOKEN has the wrong format: expected us_enrol_ and 43 characters',
      `copy all of the token; ${create}`,
    );
  return {
    facts: 'the format is right; a token works once, so it cannot be checked without using it',
    value: undefined,
  };
}

function refusalOf({ message, reason, refused }: EnrolmentError): CheckFailure {
  if (reason === 'revoked')
    return new CheckFailure(
      'an administrator has revoked this agent',
      'enrol it again with a new state folder',
    );
  return new CheckFailure(
    message,
    refused
      ? 'enrol the agent again with a new state folder'
      : 'try again when the control plane can be reached',
  );
}
