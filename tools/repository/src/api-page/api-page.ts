import { generateSnippet, type JsonObject, SETUP_OF } from '@understudy/code-snippets';

import type { ApiModel, Operation } from '../clients/api-model.js';
import { exampleCall, type ExampleCall } from './example-call.js';
import { curlSnippet } from './snippets/curl.js';
import { goSnippets } from './snippets/go.js';
import { phpSnippet } from './snippets/php.js';
import { pythonSnippet } from './snippets/python.js';
import { typescriptSnippet } from './snippets/typescript.js';

/** A language of the clients. */
interface Language {
  readonly id: keyof typeof SETUP_OF;
  readonly name: string;
  /** The info string of its code blocks. */
  readonly fence: string;
  /** The folder of its client in `clients/`. */
  readonly folder: string;
  readonly snippet: (call: ExampleCall) => string;
}

/** Returns the languages in the order of the page. */
const languagesFor = (api: ApiModel): readonly Language[] => [
  {
    id: 'typescript',
    name: 'TypeScript',
    fence: 'ts',
    folder: 'typescript',
    snippet: typescriptSnippet,
  },
  { id: 'python', name: 'Python', fence: 'python', folder: 'python', snippet: pythonSnippet },
  { id: 'php', name: 'PHP', fence: 'php', folder: 'php', snippet: phpSnippet },
  { id: 'go', name: 'Go', fence: 'go', folder: 'go', snippet: goSnippets(api) },
];

const SETUP_SH = `export UNDERSTUDY_API_URL=https://understudy.example.com/v1
export UNDERSTUDY_API_TOKEN=us_live_…`;

/**
 * Returns docs/reference/api.md.
 * @param tables the part of the page that the control plane prints: the table of operations and lists
 */
export function apiPage(tables: string, api: ApiModel): string {
  const languages = languagesFor(api);
  const tags = [...new Set(api.operations.map(({ tag }) => tag))];
  const sections = tags.map((tag) => {
    const operations = api.operations.filter((operation) => operation.tag === tag);
    return `## ${tag}\n\n${operations.map((operation) => section(operation, languages)).join('\n')}`;
  });
  return `${withLinks(tables, api)}\n${introduction(languages)}\n${sections.join('\n')}`;
}

/** Links the operations of the table to their sections. */
function withLinks(tables: string, { operations }: ApiModel): string {
  const known = new Set(operations.map(({ id }) => id));
  return tables.replace(/^\| `(\w+)`/gm, (cell, id: string) =>
    known.has(id) ? `| [\`${id}\`](#${id.toLowerCase()})` : cell,
  );
}

function introduction(languages: readonly Language[]): string {
  const readmes = languages.map(({ name, folder }) => `[${name}](../../clients/${folder}/README.md)`);
  const setups = languages.map(({ id, name, fence }) => details(name, fence, SETUP_OF[id]));
  return `## Call an operation

The next sections show the call of each operation with curl and with the clients for ${readmes.slice(0, -1).join(', ')} and
${readmes.at(-1) ?? ''}. A test runs all of them. They read the address of the API and the token from the environment:

${fenced('sh', SETUP_SH)}

The clients send a request again if the connection breaks, and create nothing twice. With curl, send the header
\`Idempotency-Key\` with each \`POST\` that you may have to repeat, and repeat it with the same value.

Create a client once:

${setups.join('\n\n')}
`;
}

function section(operation: Operation, languages: readonly Language[]): string {
  const call = exampleCall(operation);
  const snippets = languages.map((language) =>
    details(language.name, language.fence, snippetOf(language, call)),
  );
  return `### \`${operation.id}\`

${text(operation)}

\`${operation.httpMethod} /v1${operation.path}\`

${fenced('sh', curlSnippet(call))}

${snippets.join('\n\n')}
`;
}

function snippetOf({ id, snippet }: Language, call: ExampleCall): string {
  if (!call.operation.streams) return snippet(call);
  const { schema, count, seed } = call.body;
  const code = generateSnippet(id, {
    schema: schema as JsonObject,
    count: Number(count),
    seed: Number(seed),
  });
  if (code === undefined) throw new Error(`expected an example that ${id} can send`);
  return code;
}

/** Returns the description without the role, which the table of operations shows. */
function text({ doc }: Operation): string {
  const paragraphs = doc.split('\n\n').filter((paragraph) => !paragraph.startsWith('Requires '));
  return [...new Set(paragraphs)].join('\n\n');
}

const details = (name: string, fence: string, code: string): string =>
  `<details>\n<summary>${name}</summary>\n\n${fenced(fence, code)}\n\n</details>`;

const fenced = (fence: string, code: string): string => `\`\`\`${fence}\n${code}\n\`\`\``;
