import { writeExactJson, parseExactJson } from '@understudy/expression';
import type { MockEndpoint } from '@understudy/client';
import { useMutation } from '@tanstack/react-query';
import { Button, Card, CodeBlock, Form, Notice, TextField } from '@understudy/ui';
import { Send } from 'lucide-react';
import { useState } from 'react';

import { BASE_PATH } from '../api/client.js';
import { sessionStore } from '../session/session-store.js';
import { callUrl, curlCommand, pathParameters, type CallSettings } from './call-url.js';
import { TEXTS } from './texts.js';

/** The number of characters of a response that the page shows. */
const MAX_SHOWN = 20_000;
const { call: texts } = TEXTS;

interface ShownResponse {
  readonly status: number;
  readonly ms: number;
  readonly body: string;
}

/** Calls the endpoint with the session of this page, and shows the command that makes the same call. */
export function TryCard({ endpoint }: { readonly endpoint: MockEndpoint }) {
  const { id, url, path, method, auth } = endpoint;
  const [settings, setSettings] = useState<CallSettings>({ parameters: {}, seed: '', count: '' });
  const address = callUrl(url, path, settings);
  const ownAddress = callUrl(`${BASE_PATH}/dashboard/mock/${id}${path}`, path, settings);
  const send = useMutation({ mutationFn: () => callEndpoint(method, ownAddress) });
  return (
    <Card title={texts.title} text={texts.text}>
      <div className="flex flex-col gap-4">
        <Form onSubmit={() => send.mutate()}>
          <div className="grid gap-3 sm:grid-cols-2">
            {pathParameters(path).map((name) => (
              <TextField
                key={name}
                label={`:${name}`}
                value={settings.parameters[name] ?? ''}
                placeholder="1"
                onChange={(value) =>
                  setSettings({ ...settings, parameters: { ...settings.parameters, [name]: value } })
                }
                mono
              />
            ))}
            <TextField
              label={texts.seed}
              hint={texts.seedHint}
              value={settings.seed}
              inputMode="numeric"
              onChange={(seed) => setSettings({ ...settings, seed })}
            />
            <TextField
              label={texts.count}
              value={settings.count}
              placeholder={String(endpoint.response.count)}
              inputMode="numeric"
              onChange={(count) => setSettings({ ...settings, count })}
            />
          </div>
          <div>
            <Button type="submit" kind="primary" icon={<Send aria-hidden />} pending={send.isPending}>
              {texts.send}
            </Button>
          </div>
        </Form>
        <CodeBlock language={texts.language} code={curlCommand(method, address, auth === 'token')} />
        <div aria-live="polite" className="flex flex-col gap-2">
          {send.isError && <Notice tone="danger" text={texts.failed} />}
          {send.data && <ResponseView shown={send.data} />}
        </div>
      </div>
    </Card>
  );
}

function ResponseView({ shown: { status, ms, body } }: { readonly shown: ShownResponse }) {
  return (
    <>
      <p className="font-medium">{texts.status(status, ms)}</p>
      <CodeBlock language={texts.body} code={readable(body).slice(0, MAX_SHOWN)} />
      {body.length > MAX_SHOWN && <p className="text-sm text-muted">{texts.cut(MAX_SHOWN)}</p>}
    </>
  );
}

async function callEndpoint(method: string, url: string): Promise<ShownResponse> {
  const startedAt = performance.now();
  const response = await fetch(url, { method, credentials: 'same-origin', cache: 'no-store' });
  // The endpoint itself may have this status, so the server decides whether the session has ended.
  if (response.status === 401) await sessionStore.load();
  const body = await response.text();
  return { status: response.status, ms: Math.round(performance.now() - startedAt), body };
}

/** Returns JSON with line breaks. Anything else stays as it is. */
function readable(body: string): string {
  try {
    return writeExactJson(parseExactJson(body), '  ');
  } catch {
    return body;
  }
}
