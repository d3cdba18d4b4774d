import type { SyncJob } from '@understudy/client';
import { Card, formatCount, KeyValues } from '@understudy/ui';
import { LEFT_OUT_KINDS } from '@understudy/sync-job';

import { DETAIL_TEXTS } from './texts.js';

const { leftOut: texts } = DETAIL_TEXTS;

/** The numbers of objects of the source that the target lacks. */
export function LeftOutCard({ leftOut }: { readonly leftOut: NonNullable<SyncJob['left_out']> }) {
  const kinds = LEFT_OUT_KINDS.filter((kind) => leftOut[kind] > 0);
  return (
    <Card title={texts.title} text={kinds.length === 0 ? texts.nothing : texts.text}>
      {kinds.length > 0 && (
        <KeyValues
          columns={2}
          items={kinds.map((kind) => ({ label: texts.kinds[kind], value: formatCount(leftOut[kind]) }))}
        />
      )}
    </Card>
  );
}
