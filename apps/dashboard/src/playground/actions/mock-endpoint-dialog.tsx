import { Link } from '@tanstack/react-router';
import type { CreateMockEndpointRequest, MockEndpoint } from '@understudy/client';
import {
  Button,
  CodeBlock,
  CopyField,
  Dialog,
  ErrorNotice,
  Form,
  FormActions,
  LinkButton,
  NumberField,
  Select,
  TextField,
} from '@understudy/ui';
import { type GenerateCall } from '@understudy/code-snippets';
import { useState } from 'react';

import { fieldProblems, problemOf } from '../../api/problem.js';
import { BehaviourFields } from '../../mock-endpoints/behaviour/behaviour-fields.js';
import { DEFAULT_BEHAVIOUR, readBehaviour } from '../../mock-endpoints/behaviour/read-behaviour.js';
import { useCreateMockEndpoint } from '../../mock-endpoints/queries.js';
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
  const create = useCreateMockEndpoint();
  if (create.data !== undefined) return <Created endpoint={create.data} onClose={onClose} />;
  const problem = create.error === null ? undefined : problemOf(create.error);
  return (
    <Dialog open onOpenChange={onClose} title={MOCK.title} description={MOCK.text} dismissible={false}>
      {problem && (problem.status !== 422 || isAboutSchema(create.error)) && (
        <ErrorNotice problem={{ ...problem, details: [] }} />
      )}
      <MockForm
        call={call}
        pending={create.isPending}
        error={create.error}
        onCancel={onClose}
        onSubmit={create.mutate}
      />
    </Dialog>
  );
}

interface MockFormProps {
  readonly call: GenerateCall;
  readonly pending: boolean;
  readonly error: unknown;
  readonly onCancel: () => void;
  readonly onSubmit: (body: CreateMockEndpointRequest) => void;
}

function MockForm({ call, pending, error, onCancel, onSubmit }: MockFormProps) {
  const [method, setMethod] = useState<(typeof METHODS)[number]>('GET');
  const [path, setPath] = useState('/records');
  const [count, setCount] = useState<number | null>(Math.min(call.count, MAX_COUNT));
  const [auth, setAuth] = useState<'none' | 'token'>('token');
  const [behaviour, setBehaviour] = useState(DEFAULT_BEHAVIOUR);
  const [submitted, setSubmitted] = useState(false);
  const read = readBehaviour(behaviour);
  const errors = {
    ...fieldProblems(error, FIELDS),
    headers: headerProblem(error),
    ...(submitted && read.errors),
  };
  const { schema } = call;
  const submit = () => {
    setSubmitted(true);
    if (read.errors) return;
    onSubmit({ path, method, schema, auth, response: { count: count ?? undefined, ...read.response } });
  };
  return (
    <Form onSubmit={submit}>
      <div className="grid gap-3 sm:grid-cols-[8rem_1fr]">
        <Select
          label={MOCK.method}
          value={method}
          error={errors.method}
          options={METHODS.map((value) => ({ value, label: value }))}
          onChange={setMethod}
        />
        <TextField
          label={MOCK.path}
          hint={MOCK.pathHint}
          value={path}
          error={errors.path}
          onChange={setPath}
          required
          mono
        />
      </div>
      <NumberField
        label={MOCK.count}
        value={count}
        error={errors.count}
        min={1}
        max={MAX_COUNT}
        onChange={setCount}
      />
      <Select
        label={MOCK.auth}
        value={auth}
        options={[
          { value: 'token', label: MOCK.withToken },
          { value: 'none', label: MOCK.withoutToken },
        ]}
        onChange={setAuth}
      />
      <BehaviourFields
        behaviour={behaviour}
        errors={errors}
        onChange={(change) => setBehaviour({ ...behaviour, ...change })}
      />
      <FormActions>
        <Button onClick={onCancel}>{MOCK.cancel}</Button>
        <Button kind="primary" type="submit" pending={pending}>
          {MOCK.create}
        </Button>
      </FormActions>
    </Form>
  );
}

function Created({ endpoint, onClose }: { readonly endpoint: MockEndpoint; readonly onClose: () => void }) {
  const { id, url, method, auth } = endpoint;
  const parts = [
    `curl -sS${method === 'GET' ? '' : ` -X ${method}`} '${url}'`,
    ...(auth === 'token' ? ['-H "Authorization: Bearer $UNDERSTUDY_API_TOKEN"'] : []),
  ];
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
      <CodeBlock language="curl" code={parts.join(' \\\n  ')} />
    </Dialog>
  );
}

/** Returns the first problem of a header, with the name of the header. */
function headerProblem(error: unknown): string | undefined {
  const start = 'response.headers';
  const detail = error === null ? undefined : problemOf(error).details.find((text) => text.startsWith(start));
  return detail?.slice(start.length).replace(/^[.:]\s*/, '');
}

/** Problems of the schema have no field in the form, so the notice above it shows them. */
function isAboutSchema(error: unknown): boolean {
  return fieldProblems(error, { schema: 'schema' }).schema !== undefined;
}
