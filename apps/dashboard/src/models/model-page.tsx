import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { Model, PrivateModel } from '@understudy/client';
import {
  Badge,
  Card,
  Code,
  CodeBlock,
  Count,
  FactsCard,
  KeyValues,
  Notice,
  PageHeader,
  Time,
} from '@understudy/ui';
import { Trash2 } from 'lucide-react';

import { client } from '../api/client.js';
import { MutationButton } from '../api/mutation-button.js';
import { QueryState } from '../api/query-state.js';
import { SamplesCard } from '../api/samples-card.js';
import { SAMPLE_TEXTS } from '../api/texts.js';
import { useAllows } from '../session/use-session.js';
import { DistributionCard } from './distribution/distribution-card.js';
import type { ModelKind } from './model-filters.js';
import { DownloadButton } from './model-file.js';
import { isPrivate, MODELS, useModel } from './queries.js';
import { TEXTS } from './texts.js';

const route = getRouteApi('/frame/models/$group/$name');

/** One model: sample values, facts, and what was measured about its privacy. */
export function ModelPage() {
  const { group, name } = route.useParams();
  const id = `${group}/${name}`;
  const query = useModel(id);
  const { data: model } = query;
  const mayDelete = useAllows({ role: 'member', scope: 'models:write' });
  const navigate = useNavigate();
  const type = model && isPrivate(model) ? 'private' : 'custom';
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title={<span className="font-mono text-lg">{id}</span>}
        back={{ label: TEXTS.back, render: <Link to="/models" /> }}
        status={model && <Badge>{TEXTS.kinds[model.kind as ModelKind] ?? model.kind}</Badge>}
        actions={
          model &&
          model.type !== 'builtin' && (
            <>
              {!isPrivate(model) && <DownloadButton model={model} />}
              {mayDelete && (
                <MutationButton
                  label={TEXTS.delete}
                  icon={<Trash2 aria-hidden />}
                  {...TEXTS.deletion(id, type)}
                  run={() => client.models.delete(id)}
                  queryKey={MODELS}
                  onDone={() => navigate({ to: '/models', search: { type } })}
                />
              )}
            </>
          )
        }
      />
      <QueryState query={query} />
      {model && (isPrivate(model) ? <PrivateFacts model={model} /> : <PublicModel key={id} model={model} />)}
    </div>
  );
}

function PrivateFacts({ model }: { readonly model: PrivateModel }) {
  return (
    <>
      <Notice announce={false} text={TEXTS.privateModel} />
      <FactsCard
        texts={TEXTS.facts}
        facts={{
          agent: (
            <Link
              to="/agents/$agentId"
              params={{ agentId: model.agent_id }}
              className="font-mono text-sm break-all text-accent underline"
            >
              {model.agent_id}
            </Link>
          ),
          hash: <Code>{model.hash}</Code>,
          trained: <Time iso={model.trained_at} />,
        }}
      />
      <UseCard id={model.id} />
    </>
  );
}

function PublicModel({ model }: { readonly model: Model }) {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-6">
        {isMap(model) ? (
          <Card title={SAMPLE_TEXTS.title} text={TEXTS.samples.map} />
        ) : (
          <SamplesCard
            generator={{ type: 'model', source: model.id }}
            queryKey={MODELS}
            text={TEXTS.samples.text}
          />
        )}
        <PrivacyCard model={model} />
        <UseCard id={model.id} isMap={isMap(model)} />
      </div>
      <div className="flex min-w-0 flex-col gap-6">
        <DistributionCard model={model} />
        <ModelFacts model={model} />
      </div>
    </div>
  );
}

/** A map of lists has no mode, because a generator must name one of its lists. */
function isMap({ kind, modes }: Model): boolean {
  return kind === 'list' && modes.length === 0;
}

function PrivacyCard({ model }: { readonly model: Model }) {
  const { privacy } = TEXTS;
  const rows = [
    [privacy.novel, model.novel_mass === null ? null : privacy.percent(model.novel_mass), privacy.novelHint],
    [privacy.minValues, model.min_values, privacy.minValuesHint],
    [privacy.distinct, <Count key="distinct" count={model.distinct_values} />, privacy.distinctHint],
    [
      privacy.effective,
      <Count key="effective" count={model.effective_values && Math.round(model.effective_values)} />,
      privacy.effectiveHint,
    ],
    [privacy.capacity, <Count key="capacity" count={model.distinct_capacity} />, privacy.capacityHint],
  ] as const;
  return (
    <Card title={privacy.title} text={privacy.text}>
      <KeyValues
        items={rows.map(([label, value, hint]) => ({
          label,
          value: (
            <span className="flex flex-col">
              <span>{value ?? '–'}</span>
              <span className="text-sm text-muted">{hint}</span>
            </span>
          ),
        }))}
      />
    </Card>
  );
}

function ModelFacts({ model }: { readonly model: Model }) {
  const { facts } = TEXTS;
  const list = (words: readonly string[]) => (words.length === 0 ? TEXTS.none : words.join(', '));
  return (
    <FactsCard
      texts={facts}
      facts={{
        locale: model.locale,
        order: model.ngram_order,
        tokens: model.token_type && (facts.tokenTypes[model.token_type] ?? model.token_type),
        modes: list(model.modes),
        constraints: list(model.constraints),
        tokenCount: <Count count={model.token_count} />,
        ngramCount: <Count count={model.ngram_count} />,
        source: model.source || null,
        licence: model.licence || null,
        description: model.description && <span dir="auto">{model.description}</span>,
        created: <Time iso={model.created_at} />,
      }}
    />
  );
}

function UseCard({ id, isMap: hasKey = false }: { readonly id: string; readonly isMap?: boolean }) {
  const { title, rule, generator, key } = TEXTS.use;
  const ofList = { type: 'list', source: id, key };
  return (
    <Card title={title}>
      <div className="flex flex-col gap-3">
        <CodeBlock language={rule} code={JSON.stringify(hasKey ? ofList : { generator: id })} />
        {!id.startsWith('private/') && (
          <CodeBlock
            language={generator}
            code={JSON.stringify(hasKey ? ofList : { type: 'model', source: id })}
          />
        )}
      </div>
    </Card>
  );
}
