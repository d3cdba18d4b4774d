import type { Restore, Snapshot } from '@understudy/client';
import {
  Bytes,
  Card,
  Duration,
  formatBytes,
  formatCount,
  PhaseBar,
  Progress,
  ProgressAnnouncer,
  Stat,
} from '@understudy/ui';

import { serverNow } from '../session/use-session.js';
import { durationOf, percentOf } from '../work/figures.js';
import { phaseLabel, phasesOf } from './phases.js';
import { TEXTS } from './texts.js';

const { progress: texts } = TEXTS;

type Work = Pick<Snapshot | Restore, 'progress' | 'started_at' | 'completed_at'>;

/** How far an agent is with the creation of a snapshot, or with a restore. */
export function ProgressCard({
  work,
  phases,
  state,
  bytes: bytesLabel,
  size,
}: {
  readonly work: Work;
  /** The phases of the work in order. */
  readonly phases: readonly string[];
  readonly state: 'active' | 'done' | 'failed';
  /** The name of the number of bytes. */
  readonly bytes: string;
  /** The bytes that the archive has in the store. 0 while it is not complete; undefined for a restore. */
  readonly size?: number;
}) {
  const { progress } = work;
  const {
    phase,
    tables_done: tables,
    tables_total: allTables,
    bytes_done: bytes,
    bytes_total: allBytes,
  } = progress;
  const percent = percentOf(bytes, allBytes);
  const isActive = state === 'active';
  return (
    <Card title={texts.title}>
      <div className="flex flex-col gap-5">
        {state !== 'failed' && (
          <PhaseBar label={texts.phases} phases={phasesOf(phases, phase, state === 'done')} />
        )}
        {isActive && phase !== null && (
          <>
            <Progress
              label={phaseLabel(phase)}
              value={percent ?? null}
              max={100}
              text={percent === undefined ? undefined : texts.percent(percent)}
            />
            <ProgressAnnouncer text={texts.announce(phaseLabel(phase), percent)} />
          </>
        )}
        <div className="grid grid-cols-2 gap-x-6 gap-y-4 md:grid-cols-4">
          <Stat
            label={texts.tables}
            value={formatCount(tables)}
            text={state !== 'done' && allTables !== null ? texts.of(formatCount(allTables)) : undefined}
          />
          <Stat
            label={bytesLabel}
            value={formatBytes(bytes)}
            text={state !== 'done' && allBytes !== null ? texts.about(formatBytes(allBytes)) : undefined}
          />
          <Stat label={texts.duration} value={<Duration ms={durationOf(work, serverNow())} />} />
          {size !== undefined && (
            <Stat label={texts.size} value={<Bytes bytes={size === 0 ? undefined : size} />} />
          )}
        </div>
      </div>
    </Card>
  );
}
