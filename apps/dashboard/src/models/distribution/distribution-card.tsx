import { Link } from '@tanstack/react-router';
import type { Model } from '@understudy/client';
import { Card, Code, KeyValues, Notice, ShareTable, Skeleton, TextField } from '@understudy/ui';
import { useMemo, useState } from 'react';

import { QueryState } from '../../api/query-state.js';
import { BUDGET_MS } from '../../engine/playground-engine.js';
import { useEngine, useNewest } from '../../engine/use-engine.js';
import { useThrottled } from '../../engine/use-throttled.js';
import { useModelFile } from '../model-file.js';
import { modelParams } from '../model-filters.js';
import type { Distribution, DistributionRequest, Shares } from '../../engine/checks/read-distribution.js';
import { DISTRIBUTION as TEXTS } from './texts.js';

/** Screen readers hear about a new distribution at most this often. */
const ANNOUNCED_EVERY_MS = 5_000;
const MAX_PREFIX = 200;

type Part<Of> = Extract<Distribution, { readonly of: Of }>;

/** Shows the next symbols of a model after a prefix, the values of a list, or the parts of a composition. */
export function DistributionCard({ model }: { readonly model: Model }) {
  const file = useModelFile(model);
  const { title, text } = cardTexts(model);
  return (
    <Card title={title} text={text}>
      {model.type === 'custom' && <QueryState query={file} lines={8} />}
      {(model.type === 'builtin' || file.data) && <Explorer model={model} file={file.data} />}
    </Card>
  );
}

/** @param file the file of an uploaded model */
function Explorer({ model, file }: { readonly model: Model; readonly file: Blob | undefined }) {
  const [prefix, setPrefix] = useState('');
  const found = useDistribution(model.id, prefix, file);
  const texts = cardTexts(model);
  return (
    <div className="flex flex-col gap-4">
      {'prefix' in texts && (
        <TextField label={texts.prefix} value={prefix} onChange={setPrefix} maxLength={MAX_PREFIX} mono />
      )}
      {found === 'failed' && <Notice tone="danger" text={TEXTS.failed} />}
      {found === 'timeout' && <Notice tone="danger" text={TEXTS.timeout(BUDGET_MS / 1000)} />}
      {found === undefined && <Skeleton lines={8} />}
      {typeof found === 'object' && found.of === 'symbols' && (
        <Symbols found={found} tokens={model.token_type} onPrefix={setPrefix} />
      )}
      {typeof found === 'object' && found.of === 'values' && <Values found={found} prefix={prefix} />}
      {typeof found === 'object' && found.of === 'parts' && <Parts found={found} />}
    </div>
  );
}

function cardTexts({ kind }: Model) {
  if (kind === 'list') return TEXTS.values;
  return kind === 'composition' ? TEXTS.parts : TEXTS.symbols;
}

/** Returns undefined until the worker has responded. Each newer prefix replaces the older one. */
function useDistribution(
  model: string,
  prefix: string,
  file: Blob | undefined,
): Distribution | 'failed' | 'timeout' | undefined {
  const request = useMemo(
    (): DistributionRequest => ({ kind: 'distribution', model, prefix, file }),
    [model, prefix, file],
  );
  const response = useNewest(useEngine(), request)?.response;
  if (response === undefined || response.kind === 'timeout') return response?.kind;
  return response.kind === 'distribution' && response.of !== 'nothing' ? response : 'failed';
}

function Symbols({
  found,
  tokens,
  onPrefix,
}: {
  readonly found: Part<'symbols'>;
  readonly tokens: string | null;
  readonly onPrefix: (prefix: string) => void;
}) {
  const { symbols: texts } = TEXTS;
  const { prefix, isWhole, shown } = found;
  const separator = tokens === 'word' && prefix !== '' ? ' ' : '';
  const first = shown[0];
  const announced = useThrottled(
    first ? texts.announced(prefix, symbolLabel(first.text), TEXTS.percent(first.probability)) : '',
    ANNOUNCED_EVERY_MS,
  );
  return (
    <>
      <div role="status" className="sr-only">
        {announced}
      </div>
      {!isWhole && <Notice tone="warning" announce={false} text={texts.unknown(prefix)} />}
      <ShareTable
        caption={texts.caption(prefix)}
        name={(tokens && texts.name[tokens]) ?? texts.symbol}
        share={TEXTS.probability}
        rows={[
          ...shown.map(({ text, probability }, index) => ({
            id: String(index),
            label: symbolLabel(text),
            share: probability,
            ...(text !== undefined && {
              onSelect: () => onPrefix(`${prefix}${separator}${text}`.slice(0, MAX_PREFIX)),
              selectLabel: texts.add(symbolLabel(text)),
            }),
          })),
          ...restRow(found, texts.rest),
        ]}
      />
    </>
  );
}

function Values({ found, prefix }: { readonly found: Part<'values'>; readonly prefix: string }) {
  const { values: texts } = TEXTS;
  if (found.shown.length === 0) return <Notice text={texts.none} />;
  return (
    <>
      {found.keys.length > 0 && <p className="text-sm wrap-anywhere text-muted">{texts.keys(found.keys)}</p>}
      {prefix !== '' && <p aria-live="polite">{texts.share(TEXTS.percent(found.share))}</p>}
      <ShareTable
        caption={texts.caption(prefix)}
        name={texts.name}
        share={TEXTS.probability}
        rows={[...plainRows(found), ...restRow(found, texts.rest)]}
      />
    </>
  );
}

function Parts({ found }: { readonly found: Part<'parts'> }) {
  const { parts: texts } = TEXTS;
  return (
    <>
      <ShareTable
        caption={texts.caption}
        name={texts.template}
        share={TEXTS.probability}
        rows={[...plainRows(found), ...restRow(found, texts.rest)]}
      />
      <h3 className="font-medium">{texts.steps}</h3>
      <KeyValues
        items={found.steps.map(({ name, definition, source }) => ({
          label: name,
          value:
            source === undefined ? (
              <Code>{definition}</Code>
            ) : (
              <Link
                to="/models/$group/$name"
                params={modelParams(source)}
                className="font-mono text-sm break-all text-accent underline"
              >
                {source}
              </Link>
            ),
        }))}
      />
    </>
  );
}

const plainRows = ({ shown }: Shares) =>
  shown.map(({ text = TEXTS.end, probability }, index) => ({
    id: String(index),
    label: <bdi>{text}</bdi>,
    share: probability,
  }));

function restRow({ restCount, restProbability }: Shares, label: (count: number) => string) {
  return restCount === 0 ? [] : [{ id: 'rest', label: label(restCount), share: restProbability }];
}

function symbolLabel(text: string | undefined): string {
  if (text === undefined) return TEXTS.end;
  return text === ' ' ? TEXTS.space : text;
}
