import type { Agent } from '@understudy/client';
import { StatusBadge, type Status } from '@understudy/ui';

import { TEXTS } from './texts.js';

const STATUSES: Readonly<Record<string, Status>> = {
  live: 'succeeded',
  away: 'warning',
  revoked: 'inactive',
};

/** Whether the agent is connected, as icon and word. A status of a later version is shown as it is. */
export function AgentStatus({ status }: Pick<Agent, 'status'>) {
  return <StatusBadge status={STATUSES[status] ?? 'inactive'} label={TEXTS.statuses[status] ?? status} />;
}

/** The labels of an agent, by which jobs can select it. */
export function labelsText(labels: readonly string[]): string {
  return labels.join(', ');
}
