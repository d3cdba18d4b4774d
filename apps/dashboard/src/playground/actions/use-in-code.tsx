import { readKeptJson } from '@understudy/expression';
import { CodeBlock, Dialog, Notice, Tabs } from '@understudy/ui';
import {
  type GenerateCall,
  generateSnippet,
  type JsonObject,
  SETUP_OF,
  type SnippetLanguage,
} from '@understudy/code-snippets';
import { isObject } from '@understudy/sync-job';
import { useState } from 'react';

import { ACTIONS } from '../texts.js';
import type { RecordsRequest } from '../../engine/worker/messages.js';

type Language = SnippetLanguage | 'cli';

const LANGUAGES: readonly { readonly id: Language; readonly label: string }[] = [
  { id: 'curl', label: 'curl' },
  { id: 'typescript', label: 'TypeScript' },
  { id: 'python', label: 'Python' },
  { id: 'php', label: 'PHP' },
  { id: 'go', label: 'Go' },
  { id: 'cli', label: 'CLI' },
];

export interface UseInCodeDialogProps {
  readonly call: GenerateCall;
  readonly onClose: () => void;
}

/** The dialog with code that generates the records of the page. */
export function UseInCodeDialog({ call, onClose }: UseInCodeDialogProps) {
  const [language, setLanguage] = useState<Language>('curl');
  const code = codeOf(language, call);
  const label = LANGUAGES.find(({ id }) => id === language)?.label ?? '';
  return (
    <Dialog open onOpenChange={onClose} size="large" title={ACTIONS.useTitle} description={ACTIONS.useText}>
      <Tabs label={ACTIONS.languages} tabs={LANGUAGES} value={language} onChange={setLanguage}>
        <div className="flex flex-col gap-2">
          {language === 'cli' && <p className="text-sm text-muted">{ACTIONS.cliText}</p>}
          {code === undefined ? (
            <Notice tone="warning" text={ACTIONS.unsentNumber} />
          ) : (
            <CodeBlock language={label} code={code} maxHeight={28} />
          )}
        </div>
      </Tabs>
    </Dialog>
  );
}

/**
 * Returns the call of a request, or undefined if its schema is not complete.
 * @param now the reference time that the user entered, or an empty text
 */
export function callOf(request: RecordsRequest, now: string): GenerateCall | undefined {
  const schema = parse(request.schema);
  if (schema === undefined) return undefined;
  return { schema, count: request.count, seed: request.seed, ...(now !== '' && { now }) };
}

function parse(text: string): JsonObject | undefined {
  const schema = readKeptJson(text);
  if (!isObject(schema)) return undefined;
  const { generators, output } = schema;
  const isSchema = typeof generators === 'object' && generators !== null && Array.isArray(output);
  return isSchema ? (schema as JsonObject) : undefined;
}

/** Returns undefined if the language cannot send a number of the schema. */
function codeOf(language: Language, call: GenerateCall): string | undefined {
  if (language === 'cli') return cliCommand(call);
  const code = generateSnippet(language, call);
  if (code === undefined) return undefined;
  return language === 'curl' ? code : `${SETUP_OF[language]}\n\n${code}`;
}

function cliCommand({ count, seed, now }: GenerateCall): string {
  const reference = now === undefined ? '' : ` --now ${now}`;
  return `understudy generate schema.json --count ${count} --seed ${seed}${reference}`;
}
