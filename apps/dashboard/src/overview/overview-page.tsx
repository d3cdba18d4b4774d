import { Link } from '@tanstack/react-router';
import type { OrganizationWarning } from '@understudy/client';
import { Card, formatCount, LinkButton, Notice, PageHeader, Skeleton, Stat, TextLink } from '@understudy/ui';

import { ProblemNotice } from '../api/query-state.js';
import { useAgents } from '../agents/queries.js';
import { useAllows, useSession } from '../session/use-session.js';
import { useOrganization } from '../usage/queries.js';
import { QuotaBars } from '../usage/quota-bars.js';
import { FirstSteps } from './first-steps.js';
import { LatestJobs } from './latest-jobs.js';
import { useJobsState, type JobsState } from './queries.js';
import { TEXTS } from './texts.js';

/** The first page after the sign-in: what runs, what failed, what is used up, and what to do first. */
export function OverviewPage() {
  const session = useSession();
  const maySeeJobs = useAllows({ role: 'viewer', scope: 'jobs:read' });
  const maySeeOrganization = useAllows({ role: 'viewer', scope: 'org:read' });
  const jobs = useJobsState(maySeeJobs);
  const organization = useOrganization(maySeeOrganization);
  const failed = [jobs, organization].find(({ error }) => error !== null);
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title={TEXTS.title}
        meta={<span dir="auto">{TEXTS.meta(session.organization.name)}</span>}
      />
      <ProblemNotice error={failed?.error} onRetry={failed?.refetch} />
      {organization.data?.warnings.map((warning) => (
        <WarningNotice key={warning.code + warning.webhook_id} warning={warning} />
      ))}
      <div className="grid grid-cols-2 gap-4 xl:grid-cols-4">
        <AgentsStat />
        {maySeeJobs && <JobStats jobs={jobs.data} />}
      </div>
      <FirstSteps />
      {jobs.data && jobs.data.total > 0 && <LatestJobs jobs={jobs.data.latest} />}
      {maySeeOrganization && organization.isPending && <Skeleton lines={4} />}
      {organization.data && <QuotaBars organization={organization.data} />}
    </div>
  );
}

function WarningNotice({ warning }: { readonly warning: OrganizationWarning }) {
  const maySee = useAllows({ role: 'admin', scope: 'webhooks:read' });
  const isWebhook = warning.code === 'webhook_disabled';
  const { title, action } = TEXTS.warning;
  return (
    <Notice
      tone="warning"
      announce={false}
      {...(isWebhook && { title })}
      text={warning.message}
      action={
        isWebhook &&
        maySee && (
          <LinkButton
            size="small"
            render={<Link to="/webhooks/$webhookId" params={{ webhookId: warning.webhook_id }} />}
          >
            {action}
          </LinkButton>
        )
      }
    />
  );
}

const { stats } = TEXTS;
/** Shown until a figure is there. */
const UNKNOWN = '–';

function AgentsStat() {
  const maySee = useAllows({ role: 'viewer', scope: 'agents:read' });
  return maySee && <LiveAgents />;
}

function LiveAgents() {
  const { data } = useAgents();
  const current = data?.agents.filter(({ status }) => status !== 'revoked') ?? [];
  const live = current.filter(({ status }) => status === 'live').length;
  return (
    <Card>
      <Stat
        label={stats.agents}
        value={data ? formatCount(live) : UNKNOWN}
        text={<TextLink render={<Link to="/agents" />}>{stats.agentsText(current.length)}</TextLink>}
      />
    </Card>
  );
}

function JobStats({ jobs }: { readonly jobs: JobsState | undefined }) {
  const figure = (value: number | undefined) => (value === undefined ? UNKNOWN : formatCount(value));
  return (
    <>
      {JOB_STATS.map(({ id, label, text, search }) => (
        <Card key={id}>
          <Stat
            label={label}
            value={figure(jobs?.[id])}
            text={<TextLink render={<Link to="/sync-jobs" search={search} />}>{text}</TextLink>}
          />
        </Card>
      ))}
    </>
  );
}

const JOB_STATS = [
  { id: 'running', label: stats.running, text: stats.runningText, search: { status: 'running' } },
  { id: 'pending', label: stats.pending, text: stats.pendingText, search: { status: 'pending' } },
  { id: 'failed', label: stats.failed, text: stats.failedText, search: { status: 'failed', within: '24h' } },
] as const;
