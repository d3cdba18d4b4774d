import type { SyncJob } from '@understudy/client';
import {
  Card,
  Duration,
  formatBytes,
  formatCount,
  formatDuration,
  PhaseBar,
  Progress,
  ProgressAnnouncer,
  Stat,
} from '@understudy/ui';

import { serverNow } from '../../session/use-session.js';
import { durationOf, percentOf } from '../../work/figures.js';
import { TEXTS } from '../texts.js';
import { phasesOfJob } from './phases.js';
import { DETAIL_TEXTS } from './texts.js';

const { overview: texts } = DETAIL_TEXTS;

/** The phases of the job, and how far it is. */
export function ProgressCard({ job }: { readonly job: SyncJob }) {
  const now = serverNow();
  const { progress } = job;
  const percent = percentOf(progress.rows_done, progress.rows_total);
  const isRunning = job.status === 'running';
  const phase = TEXTS.phases[progress.phase ?? ''] ?? TEXTS.statuses[job.status] ?? job.status;
  return (
    <Card title={texts.progress}>
      <div className="flex flex-col gap-5">
        <PhaseBar label={texts.phases} phases={phasesOfJob(job, now)} />
        {isRunning && (
          <Progress
            label={phase}
            value={percent ?? null}
            max={100}
            text={percent === undefined ? undefined : TEXTS.percent(percent)}
          />
        )}
        <Figures job={job} now={now} />
        {isRunning && <ProgressAnnouncer text={texts.announce(phase, percent)} />}
      </div>
    </Card>
  );
}

function Figures({ job, now }: { readonly job: SyncJob; readonly now: number }) {
  const { progress, table_counts: counts } = job;
  const { rows_per_second: rows, bytes_per_second: bytes, estimated_end: end } = progress;
  const isDone = job.status === 'completed';
  const total = progress.rows_total;
  const showsTotal = !isDone && total !== null;
  return (
    <div className="grid grid-cols-2 gap-x-6 gap-y-4 md:grid-cols-3 xl:grid-cols-5">
      <Stat
        label={texts.rows}
        value={formatCount(progress.rows_done)}
        text={showsTotal ? texts.of(formatCount(total)) : undefined}
      />
      <Stat
        label={texts.bytes}
        value={formatBytes(progress.bytes_done)}
        text={
          !isDone && progress.bytes_total !== null ? texts.of(formatBytes(progress.bytes_total)) : undefined
        }
      />
      <Stat
        label={texts.tables}
        value={formatCount(counts.completed)}
        text={isDone ? undefined : texts.of(formatCount(job.table_count))}
      />
      <Stat
        label={isDone ? texts.average : texts.throughput}
        value={rows === null ? '–' : texts.perSecond(formatCount(rows))}
        text={bytes === null ? undefined : texts.bytesPerSecond(formatBytes(bytes))}
      />
      {end === null ? (
        <Stat label={texts.duration} value={<Duration ms={durationOf(job, now)} />} />
      ) : (
        <Stat
          label={texts.remaining}
          value={formatDuration(Date.parse(end) - now)}
          text={texts.remainingText}
        />
      )}
    </div>
  );
}
