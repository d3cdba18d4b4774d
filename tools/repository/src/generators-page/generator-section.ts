import {
  AUTHORED_TYPES,
  type GeneratorType,
  type ParamDeclaration,
  type ParamsManifest,
} from '@understudy/generator';
import { code, json, table, valuesBlock } from './markdown.js';
import { sampleValues, type Json } from './sample-values.js';

const LOGIC = '@svc/core:logic.';
const SAMPLES = 5;

/** Returns the name of a generator in headings: its algorithm or type, or its registered name. */
export function shortName({ name }: GeneratorType): string {
  if (name.startsWith(LOGIC)) return name.slice(LOGIC.length);
  return [...AUTHORED_TYPES].find(([, { use }]) => use === name)?.[0] ?? name;
}

/** Builds the section of one generator from its entry in the registry, with values of its examples. */
export function generatorSection(type: GeneratorType): string {
  const parts = [`### ${shortName(type)}`, type.description, call(type)];
  parts.push(paramsTable(type));
  if (type.constraints !== undefined) {
    parts.push(
      'It accepts these `constraints`, which are a key of the definition:',
      manifestTable(type.constraints),
    );
  }
  parts.push(...type.examples.map(example));
  return parts.join('\n\n');
}

function call({ name, params, output, nullWhen, countsRows }: GeneratorType): string {
  const given = Object.keys(params).length === 0 ? '' : ', "params": {…}';
  const authored = name.startsWith(LOGIC)
    ? `\`{ "type": "svc", "algorithm": "${name.slice(LOGIC.length)}"${given} }\``
    : [...AUTHORED_TYPES]
        .filter(([, { use }]) => use === name)
        .map(([written]) => `\`{ "type": "${written}", … }\``)
        .join('');
  const sentences = [
    `Write ${authored} or \`{ "use": "${name}"${given} }\`.`,
    `It returns ${output === 'any' ? 'a value of any type' : `${article(output)} ${output}`}${nullWhen === undefined ? '' : `, or null ${nullWhen}`}.`,
    ...(countsRows === true
      ? [
          'Its value depends on the number of the row. In a column rule, rows are numbered in the order of the primary key ([column rules](../guides/column-rules.md)).',
        ]
      : []),
  ];
  return sentences.join(' ');
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? 'an' : 'a';
}

function paramsTable({ params }: GeneratorType): string {
  return Object.keys(params).length === 0 ? 'It has no parameters.' : manifestTable(params);
}

/** Builds a table of parameters. The table has the first sentence of long descriptions; a list below has the rest. */
function manifestTable(manifest: ParamsManifest): string {
  const rows = Object.entries(manifest).map(([name, declaration]) => ({
    name,
    declaration,
    ...shortened(declaration.description ?? ''),
  }));
  const parameters = table(
    ['parameter', 'type', 'default', 'range', 'description'],
    rows.map(({ name, declaration, summary }) => [
      code(name),
      declaration.type,
      defaultOf(declaration),
      rangeOf(declaration),
      summary,
    ]),
  );
  const list = rows
    .filter(({ rest }) => rest !== '')
    .map(({ name, rest }) => details(name, rest))
    .join('\n');
  const title = list.includes('\n  - ') ? 'Details, with default values in parentheses:' : 'Details:';
  return list === '' ? parameters : `${parameters}\n\n${title}\n\n${list}`;
}

/** Formats a description as a list item. A sentence such as "normal: mean (0)." becomes a nested item. */
function details(name: string, description: string): string {
  const [intro = '', ...options] = ` ${description}`.split(/(?<=^|[.)])\s+(?=[a-z_]+: )/);
  const nested = options.map((option) => `\n  - ${option.replace(/^[a-z_]+/, code)}`);
  return `- ${code(name)}: ${intro.trim()}${nested.join('')}`;
}

const LONGEST_CELL = 110;

/** Splits a description after its first sentence if the description is too long for a table cell. */
export function shortened(description: string): { readonly summary: string; readonly rest: string } {
  const end = description.search(/\.\s/);
  if (description.length <= LONGEST_CELL || end < 0) return { summary: description, rest: '' };
  return { summary: description.slice(0, end + 1), rest: description.slice(end + 1).trim() };
}

function defaultOf({ required, default: value }: ParamDeclaration): string {
  if (required === true) return 'required';
  return value === undefined ? 'none' : code(JSON.stringify(value));
}

function rangeOf({ minimum, maximum, values }: ParamDeclaration): string {
  if (values !== undefined) return values.map(code).join(' ');
  if (minimum === undefined && maximum === undefined) return '';
  if (maximum === undefined) return `from ${String(minimum)}`;
  return minimum === undefined ? `up to ${maximum}` : `${minimum} to ${maximum}`;
}

function example(definition: Json): string {
  return `${json(definition)}\n\n${valuesBlock(sampleValues(definition, SAMPLES))}`;
}
