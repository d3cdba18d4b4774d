import { print } from './layout.js';
import {
  composite,
  goLiteral,
  type Json,
  type JsonObject,
  jsonLiteral,
  phpLiteral,
  phpText,
  pythonLiteral,
  shellText,
  STYLE_OF,
  typescriptLiteral,
  UnsentNumber,
} from './literals.js';

/** A call of `POST /generate`. */
export interface GenerateCall {
  /** `{ generators, output }` */
  readonly schema: JsonObject;
  readonly count: number;
  readonly seed: number;
  /** An ISO 8601 instant. If absent, the snippets do not set it. */
  readonly now?: string | undefined;
}

export type SnippetLanguage = keyof typeof WRITER_OF;

/** Creates the client of a language, in the first lines of a program. For Go, of a function. */
export const SETUP_OF = {
  typescript: `import { Understudy } from '@understudy/client';

const client = new Understudy();`,
  python: `from understudy import Understudy

client = Understudy()`,
  php: `<?php

use Understudy\\Understudy;

require 'vendor/autoload.php';

$client = new Understudy();`,
  go: `ctx := context.Background()
client, err := understudy.New()
if err != nil {
	log.Fatal(err)
}`,
} as const;

const WRITER_OF = {
  curl({ schema, count, seed, now }: GenerateCall): string {
    const body = { schema, count, seed, ...(now !== undefined && { now }), format: 'json' };
    return [
      'curl -sS "$UNDERSTUDY_API_URL/generate"',
      '-H "Authorization: Bearer $UNDERSTUDY_API_TOKEN"',
      "-H 'Content-Type: application/json'",
      `-d ${shellText(print(jsonLiteral(body), STYLE_OF.curl))}`,
    ].join(' \\\n  ');
  },

  typescript({ schema, count, seed, now }: GenerateCall): string {
    const options = print(
      typescriptLiteral({ seed, ...(now !== undefined && { now }) }),
      STYLE_OF.typescript,
    );
    return `${print(['const schema = ', typescriptLiteral(schema), ';'], STYLE_OF.typescript)}
const records = await client.generate(schema, ${count}, ${options});`;
  },

  python({ schema, count, seed, now }: GenerateCall): string {
    const reference = now === undefined ? '' : `, now=${JSON.stringify(now)}`;
    const code = print(['schema = ', pythonLiteral(schema)], STYLE_OF.python);
    const imports = code.includes('Decimal("') ? 'from decimal import Decimal\n\n' : '';
    return `${imports}${code}
records = client.generate(schema, ${count}, seed=${seed}${reference})`;
  },

  php({ schema, count, seed, now }: GenerateCall): string {
    const reference = now === undefined ? '' : `, now: ${phpText(now)}`;
    return `${print(['$schema = ', phpLiteral(schema), ';'], STYLE_OF.php)}
$records = $client->generate($schema, ${count}, seed: ${seed}${reference});`;
  },

  go({ schema, count, seed, now }: GenerateCall): string {
    const reference = now === undefined ? '' : `, understudy.WithNow(${JSON.stringify(now)})`;
    return `${print(['schema := ', goSchema(schema)], STYLE_OF.go)}
records, err := client.Generate(ctx, schema, ${count}, understudy.WithSeed(${seed})${reference})`;
  },
};

/**
 * Returns code that generates records. It expects the client that `SETUP_OF` creates.
 * @returns undefined if the schema has a number that the language cannot send with all its digits
 */
export function generateSnippet(language: SnippetLanguage, call: GenerateCall): string | undefined {
  try {
    return WRITER_OF[language](call);
  } catch (error) {
    if (error instanceof UnsentNumber) return undefined;
    throw error;
  }
}

function goSchema({ generators = {}, output = [] }: JsonObject) {
  const definitions = Object.entries(generators as JsonObject).map(([name, of]) => [
    `${JSON.stringify(name)}: `,
    goLiteral(of),
  ]);
  const names = (output as readonly Json[]).map((name) => JSON.stringify(name));
  return composite('understudy.GenerateSchema', [
    ['Generators: ', composite('map[string]any', definitions)],
    ['Output: ', composite('[]string', names)],
  ]);
}
