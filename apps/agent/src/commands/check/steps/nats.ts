import type { Outbound } from '@understudy/outbound';

import { ConfigurationError } from '../../../config/environment.js';
import type { AgentCredentials } from '../../../identity/enrolment-client.js';
import { checkNatsAddresses } from '../../../link/credentials.js';
import { tryNatsConnection } from '../../../link/try-nats-connection.js';
import { CheckFailure, type CheckReport } from '@understudy/operator-commands';
import { checkServer } from './server.js';
import type { FolderState } from './state-folder.js';

export interface NatsCheck {
  readonly outbound: Outbound;
  readonly state: FolderState;
  /** Credentials of an agent that does not run; undefined if there are none. */
  readonly credentials: AgentCredentials | undefined;
}

/** Checks the addresses of NATS. Connects only with credentials, and closes the connection immediately. */
export async function checkNats(
  report: CheckReport,
  { outbound, state: { identity, running }, credentials }: NatsCheck,
): Promise<void> {
  const urls = credentials?.natsUrls ?? identity?.natsUrls;
  const natsSeed = identity?.natsSeed;
  if (urls === undefined || natsSeed === undefined) {
    report.skip('NATS', 'because the control plane names its addresses when it enrols the agent');
    return;
  }
  const areAccepted = await report.step('NATS addresses', () => Promise.resolve(acceptAddresses(urls)));
  if (areAccepted === undefined) return;
  let isReached = false;
  for (const url of urls.slice(0, MAX_ADDRESSES))
    isReached = (await checkServer(report, 'NATS', url, outbound)) || isReached;
  if (credentials === undefined || !isReached) {
    const because =
      running !== undefined
        ? 'an agent runs with this identity'
        : isReached
          ? 'there is no credential'
          : 'NATS cannot be reached';
    report.skip('NATS credential', `because ${because}`);
    return;
  }
  await report.step('NATS credential', async (signal) => {
    const { agentId, natsJwt } = credentials;
    const refusal = await tryNatsConnection(outbound, { urls, agentId, natsJwt, natsSeed }, signal);
    if (refusal !== undefined)
      throw new CheckFailure(
        `NATS refused the connection (${refusal})`,
        'check that the control plane can reach this NATS server, because it sends the list of revoked agents to NATS',
      );
    return { facts: 'NATS accepts the credential', value: undefined };
  });
}

function acceptAddresses(urls: readonly string[]) {
  try {
    checkNatsAddresses(urls);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new CheckFailure(error.problems.join('; '), 'an administrator of the control plane corrects it');
  }
  return { facts: urls.map((url) => new URL(url).host).join(', '), value: true as const };
}

const MAX_ADDRESSES = 8;
