import { Link } from '@tanstack/react-router';
import type { SyncJob } from '@understudy/client';
import { Card, Code, columnsOf, ErrorNotice, FactsCard, Notice, Table, TextLink, Time } from '@understudy/ui';

import { AgentLink, selectedAgents } from '../../work/agents.js';
import { isUnlistedColumns, UNLISTED_TEXTS } from '../../work/unlisted-columns.js';
import { WarningsNotice } from '../../work/warnings-notice.js';
import { BuildCard, RevertNotice } from '../database/replacement.js';
import { PredictionCard } from './prediction-card.js';
import { ProgressCard } from './progress-card.js';
import { LeftOutCard } from './left-out-card.js';
import { DETAIL_TEXTS } from './texts.js';
import type { Sample } from './throughput.js';
import { ThroughputChart } from './throughput-chart.js';
import { VerificationCard } from './verification-card.js';

const { overview: texts } = DETAIL_TEXTS;

/** The number of samples from which there is a chart. */
const MIN_SAMPLES = 5;

/** The state of a job, and its result. */
export function OverviewTab({
  job,
  samples,
}: {
  readonly job: SyncJob;
  readonly samples: readonly Sample[];
}) {
  return (
    <div className="flex flex-col gap-6">
      <JobNotices job={job} />
      {job.prediction ? <PredictionCard job={job} prediction={job.prediction} /> : <ProgressCard job={job} />}
      {job.progress.build && <BuildCard build={job.progress.build} />}
      {samples.length >= MIN_SAMPLES && <ThroughputChart samples={samples} />}
      {job.verification && <VerificationCard job={job} verification={job.verification} />}
      {job.left_out && <LeftOutCard leftOut={job.left_out} />}
      <JobFacts job={job} />
      <ModelsCard job={job} />
    </div>
  );
}

function JobNotices({ job }: { readonly job: SyncJob }) {
  const { error, warnings } = job;
  const silence = warnings.some(({ code }) => code === AGENT_SILENT) ? job.link : null;
  const isCancelled = error?.code === 'cancelled';
  return (
    <>
      {error && isCancelled && <Notice announce={false} title={texts.error.cancelled} text={error.message} />}
      {error && !isCancelled && (
        <ErrorNotice
          problem={{
            title: texts.error.title,
            text: error.message,
            details: error.details.map(({ field, message }) => `${field}: ${message}`),
            remedy: `${texts.error.code}: ${error.code}`,
          }}
        />
      )}
      {job.status === 'running' && job.cancel_requested_at !== null && (
        <Notice tone="warning" text={texts.cancelRequested} />
      )}
      {job.replaced?.last_revert && <RevertNotice revert={job.replaced.last_revert} />}
      {silence && <SilentAgentNotice link={silence} />}
      <WarningsNotice warnings={silence ? warnings.filter(({ code }) => code !== AGENT_SILENT) : warnings} />
    </>
  );
}

/** The code of the warning about an agent that has the job and does not report. */
const AGENT_SILENT = 'agent_silent';

/** The same facts as the warning of the server, with times in the zone of the reader. */
function SilentAgentNotice({ link }: { readonly link: NonNullable<SyncJob['link']> }) {
  const { title, lastReport, keeps, remedy } = texts.silent;
  return (
    <Notice
      tone="warning"
      announce={false}
      title={title}
      text={
        <>
          {lastReport} <Time iso={link.last_heard_at} format="relative" />. {keeps}{' '}
          <Time iso={link.held_until} />. {remedy}
        </>
      }
    />
  );
}

function JobFacts({ job }: { readonly job: SyncJob }) {
  const { agent, agent_id: agentId, link } = job;
  return (
    <FactsCard
      texts={texts.facts}
      columns={2}
      facts={{
        id: <Code>{job.id}</Code>,
        source: job.source,
        target: job.target,
        agent: <AgentLink agentId={agentId} />,
        selected: selectedAgents(agent),
        ...(job.run_of !== null && { runOf: <JobLink id={job.run_of} /> }),
        created: <Time iso={job.created_at} />,
        started: <Time iso={job.started_at} />,
        ended: <Time iso={job.completed_at} />,
        ...(link && {
          report: <Time iso={link.last_heard_at} format="relative" />,
          held: <Time iso={link.held_until} />,
          snapshot: <Time iso={link.snapshot_taken_at} />,
        }),
        ...(job.replaced && {
          keptUntil: <Time iso={job.replaced.kept_until} />,
          reverted: <Time iso={job.replaced.reverted_at} />,
        }),
        seed: <code className="font-mono text-sm">{job.seed}</code>,
        now: <Time iso={job.now} />,
        unlisted: unlistedText(job),
        unlistedTables: texts.unlistedTables[job.unlisted_tables] ?? job.unlisted_tables,
        refreshViews: job.refresh_materialized_views ? texts.yes : texts.no,
        omitsCode: job.source_code === 'omit' ? texts.yes : texts.no,
        orphans: texts.orphans[job.orphans] ?? job.orphans,
      }}
    />
  );
}

function JobLink({ id }: { readonly id: string }) {
  return (
    <TextLink render={<Link to="/sync-jobs/$jobId" params={{ jobId: id }} />}>
      <Code>{id}</Code>
    </TextLink>
  );
}

function unlistedText({ unlisted_columns: mode }: SyncJob): string {
  return isUnlistedColumns(mode) ? UNLISTED_TEXTS[mode].effect : mode;
}

function ModelsCard({ job }: { readonly job: SyncJob }) {
  const models = [...job.models, ...job.generators];
  if (models.length === 0) return null;
  return (
    <Card title={texts.models.title} text={texts.models.text} flush>
      <Table caption={texts.models.title} columns={MODEL_COLUMNS} rows={models} rowKey={({ name }) => name} />
    </Card>
  );
}

const MODEL_COLUMNS = columnsOf<SyncJob['models'][number]>()(texts.models.columns, {
  name: { cell: ({ name }) => <span className="font-medium">{name}</span> },
  hash: { cell: ({ hash }) => <code className="font-mono text-xs break-all text-muted">{hash}</code> },
});
