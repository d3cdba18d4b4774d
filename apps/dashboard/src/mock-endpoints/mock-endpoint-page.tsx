import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { MockEndpoint } from '@understudy/client';
import { Badge, Card, Code, CodeBlock, CopyField, Count, KeyValues, PageHeader, Time } from '@understudy/ui';
import { Trash2 } from 'lucide-react';

import { client } from '../api/client.js';
import { MutationButton } from '../api/mutation-button.js';
import { QueryState } from '../api/query-state.js';
import { PlaygroundLink } from '../playground/actions/playground-link.js';
import { schemaText } from '../playground/state/examples.js';
import { useAllows } from '../session/use-session.js';
import { wrapperText } from './behaviour/read-behaviour.js';
import { WarningsNotice } from '../work/warnings-notice.js';
import { MOCK_ENDPOINTS, useMockEndpoint } from './queries.js';
import { TEXTS } from './texts.js';
import { TryCard } from './try-card.js';

const route = getRouteApi('/frame/mock-endpoints/$endpointId');

/** One mock endpoint: its settings, its schema, and a form that calls it. */
export function MockEndpointPage() {
  const { endpointId } = route.useParams();
  const navigate = useNavigate();
  const query = useMockEndpoint(endpointId);
  const { data: endpoint } = query;
  const mayDelete = useAllows({ role: 'member', scope: 'endpoints:write' });
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title={endpoint ? <span className="font-mono text-lg">{endpoint.path}</span> : TEXTS.title}
        back={{ label: TEXTS.back, render: <Link to="/mock-endpoints" /> }}
        status={endpoint && <Badge>{endpoint.method}</Badge>}
        actions={
          endpoint &&
          mayDelete && (
            <MutationButton
              label={TEXTS.delete}
              icon={<Trash2 aria-hidden />}
              {...TEXTS.deletion(endpoint.path)}
              run={() => client.mockEndpoints.delete(endpointId)}
              queryKey={MOCK_ENDPOINTS}
              onDone={() => navigate({ to: '/mock-endpoints' })}
            />
          )
        }
      />
      <QueryState query={query} />
      {endpoint && (
        <>
          <WarningsNotice warnings={endpoint.warnings} />
          <SettingsCard endpoint={endpoint} />
          <div className="grid items-start gap-6 lg:grid-cols-2">
            <TryCard endpoint={endpoint} />
            <SchemaCard endpoint={endpoint} />
          </div>
        </>
      )}
    </div>
  );
}

function SettingsCard({ endpoint }: { readonly endpoint: MockEndpoint }) {
  const { facts } = TEXTS;
  const { response, auth } = endpoint;
  const { latency_ms: latency, fail_rate: failures } = response;
  const wrapper = wrapperText(response);
  return (
    <Card title={facts.title}>
      <div className="flex flex-col gap-4">
        <CopyField label={facts.url} value={endpoint.url} />
        <KeyValues
          columns={2}
          items={[
            { label: facts.access, value: TEXTS.auths[auth] ?? auth },
            { label: facts.records, value: <Count count={response.count} /> },
            { label: facts.status, value: response.status },
            {
              label: facts.latency,
              value:
                typeof latency === 'number'
                  ? TEXTS.latency(latency)
                  : TEXTS.latencyRange(latency.min, latency.max),
            },
            { label: facts.failures, value: failures === 0 ? TEXTS.none : TEXTS.failures(failures) },
            { label: facts.headers, value: <Headers headers={response.headers} /> },
            { label: facts.today, value: <Count count={endpoint.requests_today} /> },
            { label: facts.created, value: <Time iso={endpoint.created_at} /> },
          ]}
        />
        {wrapper !== undefined && <CodeBlock language={facts.body} code={wrapper} maxHeight={16} />}
      </div>
    </Card>
  );
}

function Headers({ headers }: { readonly headers: MockEndpoint['response']['headers'] }) {
  const entries = Object.entries(headers);
  if (entries.length === 0) return TEXTS.none;
  return (
    <ul>
      {entries.map(([name, value]) => (
        <li key={name}>
          <Code>{`${name}: ${value}`}</Code>
        </li>
      ))}
    </ul>
  );
}

/** The schema, which the playground opens for a changed copy: the API cannot change an endpoint. */
function SchemaCard({ endpoint: { schema } }: { readonly endpoint: MockEndpoint }) {
  const { title, language } = TEXTS.schema;
  return (
    <Card title={title} actions={<PlaygroundLink schema={schema} />}>
      <CodeBlock language={language} code={schemaText(schema)} maxHeight={32} />
    </Card>
  );
}
