import type { SyncJob } from '@understudy/client';
import { Card, columnsOf, ErrorNotice, formatCount, formatDuration, Notice, Table } from '@understudy/ui';

import { serverNow } from '../../session/use-session.js';
import { NamedStatus } from '../../work/named-status.js';
import { DATABASE_TEXTS } from './texts.js';

const { build: texts, revert: revertTexts } = DATABASE_TEXTS;

type Build = NonNullable<SyncJob['progress']['build']>;

/** The phases of the build of a database, with an estimate each. */
export function BuildCard({ build }: { readonly build: Build }) {
  return (
    <Card title={texts.title} text={texts.text} flush>
      <Table caption={texts.title} columns={COLUMNS} rows={build} rowKey={({ phase }) => phase} />
    </Card>
  );
}

const COLUMNS = columnsOf<Build[number]>()(texts.columns, {
  phase: { cell: ({ phase }) => <span className="font-medium">{texts.phases[phase] ?? phase}</span> },
  status: { width: '10rem', cell: ({ status }) => <NamedStatus status={status} labels={texts.statuses} /> },
  done: { width: '14rem', align: 'end', cell: doneText },
  estimate: { width: '12rem', align: 'end', cell: estimateText },
});

function doneText({ status, done, total }: Build[number]): string {
  if (total !== null) return texts.of(formatCount(done), formatCount(total));
  return status === 'completed' ? texts.earlier : '–';
}

function estimateText({ status, estimated_end: end }: Build[number]): string {
  if (status === 'completed') return '–';
  return end === null ? texts.noEstimate : texts.about(formatDuration(Date.parse(end) - serverNow()));
}

type Revert = NonNullable<NonNullable<SyncJob['replaced']>['last_revert']>;

/** Shows that a revert runs, or why the last one failed. */
export function RevertNotice({ revert: { status, error } }: { readonly revert: Revert }) {
  if (status === 'pending') return <Notice text={revertTexts.running} />;
  if (error === null) return null;
  return (
    <ErrorNotice
      problem={{
        title: revertTexts.failed,
        text: error.message,
        remedy: `${revertTexts.code}: ${error.code}`,
      }}
    />
  );
}
