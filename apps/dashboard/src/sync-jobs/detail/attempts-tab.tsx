import type { SyncJob } from '@understudy/client';
import { Card, Duration, EmptyState, KeyValues, PhaseBar, StatusBadge, Time } from '@understudy/ui';
import { History } from 'lucide-react';

import { serverNow } from '../../session/use-session.js';
import { AgentLink } from '../../work/agents.js';
import { phasesOfAttempt } from './phases.js';
import { DETAIL_TEXTS } from './texts.js';

const { attempts: texts } = DETAIL_TEXTS;

type Attempt = SyncJob['attempt_history'][number];

/** The attempts of a job, the newest first, with their phases. */
export function AttemptsTab({ job }: { readonly job: SyncJob }) {
  if (job.attempt_history.length === 0) return <EmptyState {...texts.none} icon={<History />} />;
  return (
    <ol aria-label={texts.caption} className="flex flex-col gap-4">
      {job.attempt_history.toReversed().map((attempt, index) => (
        // An attempt that lost only its connection has the number of the next one.
        <li key={job.attempt_history.length - index}>
          <AttemptCard attempt={attempt} job={job} />
        </li>
      ))}
    </ol>
  );
}

function AttemptCard({ attempt, job }: { readonly attempt: Attempt; readonly job: SyncJob }) {
  const { number, agent_id: agentId, started_at: started, ended_at: ended, outcome } = attempt;
  const now = serverNow();
  return (
    <Card title={texts.title(number)} actions={<Outcome outcome={outcome} />}>
      <div className="flex flex-col gap-4">
        <KeyValues
          columns={2}
          items={[
            { label: texts.started, value: <Time iso={started} /> },
            { label: texts.agent, value: <AgentLink agentId={agentId} /> },
            {
              label: texts.duration,
              value: <Duration ms={(ended === null ? now : Date.parse(ended)) - Date.parse(started)} />,
            },
            ...(attempt.error_code === null
              ? []
              : [
                  {
                    label: texts.error,
                    value: <code className="font-mono text-sm">{attempt.error_code}</code>,
                  },
                ]),
          ]}
        />
        {attempt.phases.length === 0 ? (
          <p className="text-muted">{texts.noPhases}</p>
        ) : (
          <PhaseBar label={texts.phases(number)} phases={phasesOfAttempt(attempt, job, now)} />
        )}
      </div>
    </Card>
  );
}

function Outcome({ outcome }: Pick<Attempt, 'outcome'>) {
  if (outcome === null) return <StatusBadge status="running" label={texts.running} />;
  const status = { completed: 'succeeded', failed: 'failed' }[outcome as string] ?? 'warning';
  return (
    <StatusBadge
      status={status as 'succeeded' | 'failed' | 'warning'}
      label={texts.outcomes[outcome] ?? outcome}
    />
  );
}
