import { Link } from '@tanstack/react-router';
import type { MockEndpoint } from '@understudy/client';
import {
  Button,
  CodeBlock,
  CopyField,
  Dialog,
  LinkButton,
  NumberField,
  Select,
  TextField,
} from '@understudy/ui';
import { type GenerateCall } from '@understudy/code-snippets';
import { useState } from 'react';

import { client } from '../../api/client.js';
import { MutationDialog, useFields } from '../../api/mutation-dialog.js';
import { problemOf } from '../../api/problem.js';
import { BehaviourFields } from '../../mock-endpoints/behaviour/behaviour-fields.js';
import { DEFAULT_BEHAVIOUR, readBehaviour } from '../../mock-endpoints/behaviour/read-behaviour.js';
import { curlCommand } from '../../mock-endpoints/call-url.js';
import { MOCK_ENDPOINTS } from '../../mock-endpoints/queries.js';
import { MOCK } from '../texts.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** The API's limit on the records in a response. */
const MAX_COUNT = 10_000;
/** The fields of the form, by the paths that the API reports. */
const FIELDS = {
  path: 'path',
  method: 'method',
  'response.count': 'count',
  'response.wrapper': 'wrapper',
  'response.headers': 'headers',
  'response.status': 'status',
  'response.latency_ms': 'maxLatency',
  'response.fail_rate': 'failures',
} as const;

export interface MockEndpointDialogProps {
  readonly call: GenerateCall;
  readonly onClose: () => void;
}

/** The dialog that creates a mock endpoint with the schema of the page, and shows its address. */
export function MockEndpointDialog({ call, onClose }: MockEndpointDialogProps) {
  const [created, setCreated] = useState<MockEndpoint>();
  const { values, field } = useFields({
    method: 'GET' as (typeof METHODS)[number],
    path: '/records',
    count: Math.min(call.count, MAX_COUNT) as number | null,
    auth: 'token' as 'none' | 'token',
  });
  const [behaviour, setBehaviour] = useState(DEFAULT_BEHAVIOUR);
  const read = readBehaviour(behaviour);
  if (created !== undefined) return <Created endpoint={created} onClose={onClose} />;
  const { schema } = call;
  return (
    <MutationDialog
      title={MOCK.title}
      text={MOCK.text}
      confirmLabel={MOCK.create}
      size="medium"
      run={() => {
        const { count, ...endpoint } = values;
        const response = { count: count ?? undefined, ...(read.errors === undefined && read.response) };
        return client.mockEndpoints.create({ ...endpoint, schema, response });
      }}
      queryKey={MOCK_ENDPOINTS}
      check={() => read.errors ?? {}}
      fields={FIELDS}
      onClose={onClose}
      onDone={setCreated}
    >
      {(problems, error) => {
        const headers = problems.headers && (read.errors?.headers ?? headerProblem(error));
        const errors = { ...problems, headers };
        return (
          <>
            <div className="grid gap-3 sm:grid-cols-[8rem_1fr]">
              <Select
                {...field('method', errors)}
                label={MOCK.method}
                options={METHODS.map((value) => ({ value, label: value }))}
              />
              <TextField {...field('path', errors)} label={MOCK.path} hint={MOCK.pathHint} required mono />
            </div>
            <NumberField {...field('count', errors)} label={MOCK.count} min={1} max={MAX_COUNT} />
            <Select
              {...field('auth')}
              label={MOCK.auth}
              options={[
                { value: 'token', label: MOCK.withToken },
                { value: 'none', label: MOCK.withoutToken },
              ]}
            />
            <BehaviourFields
              behaviour={behaviour}
              errors={errors}
              onChange={(change) => setBehaviour({ ...behaviour, ...change })}
            />
          </>
        );
      }}
    </MutationDialog>
  );
}

function Created({ endpoint, onClose }: { readonly endpoint: MockEndpoint; readonly onClose: () => void }) {
  const { id, url, method, auth } = endpoint;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={MOCK.created}
      actions={
        <>
          <LinkButton render={<Link to="/mock-endpoints/$endpointId" params={{ endpointId: id }} />}>
            {MOCK.open}
          </LinkButton>
          <Button kind="primary" onClick={onClose}>
            {MOCK.done}
          </Button>
        </>
      }
    >
      <CopyField label={MOCK.address} value={url} />
      <CodeBlock language="curl" code={curlCommand(method, url, auth === 'token')} />
    </Dialog>
  );
}

/** Returns the first problem of a header, with the name of the header. */
function headerProblem(error: unknown): string | undefined {
  const start = 'response.headers';
  const detail =
    error === null ? undefined : problemOf(error).details?.find((text) => text.startsWith(start));
  return detail?.slice(start.length).replace(/^[.:]\s*/, '');
}
