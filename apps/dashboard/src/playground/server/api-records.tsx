import { Button, CodeBlock, Notice } from '@understudy/ui';

import { ProblemNotice } from '../../api/query-state.js';
import { TEXTS } from '../texts.js';
import type { RecordsRequest } from '../../engine/worker/messages.js';
import { apiFormat, useApiRecords } from './use-api.js';

export interface ApiRecordsProps {
  readonly request: RecordsRequest;
  /** The names that only the organisation may have. */
  readonly names: readonly string[];
}

/** Offers to generate the records of a schema that names models and generators of the organisation with the API. */
export function ApiRecords({ request, names }: ApiRecordsProps) {
  const records = useApiRecords();
  const isShown = records.variables === request;
  const { title, text, action, shown } = TEXTS.onServer;
  return (
    <div className="flex flex-col gap-3">
      <Notice
        tone="info"
        announce={false}
        title={title}
        text={text(names.join(', '))}
        action={
          <Button size="small" pending={records.isPending} onClick={() => records.mutate(request)}>
            {action}
          </Button>
        }
      />
      {isShown && <ProblemNotice error={records.error} />}
      {isShown && records.data !== undefined && (
        <>
          <p className="text-sm text-muted">{shown}</p>
          <CodeBlock code={records.data} language={TEXTS.formats[apiFormat(request)]} maxHeight={40} />
        </>
      )}
    </div>
  );
}
