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

/** What a definition writes to have this generator, in the words of the page's headings. */
export function shortName({ name }: GeneratorType): string {
  if (name.startsWith(LOGIC)) return name.slice(LOGIC.length);
  return [...AUTHORED_TYPES].find(([, { use }]) => use === name)?.[0] ?? name;
}

/** Everything the registry knows of one generator, and what its examples give. */
export function generatorSection(type: GeneratorType): string {
  const parts = [`### ${shortName(type)}`, type.description, call(type)];
  parts.push(paramsTable(type));
  if (type.constraints !== undefined) {
    parts.push('Top-level `constraints`:', manifestTable(type.constraints));
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
    `Written ${authored}, or by name ${code(name)}.`,
    `Gives ${output === 'any' ? 'a value of any type' : `${article(output)} ${output}`}${nullWhen === undefined ? '' : `, or null ${nullWhen}`}.`,
    ...(countsRows === true
      ? ['Counts rows; in a column rule, in the order of the primary key ([column rules](column-rules.md)).']
      : []),
  ];
  return sentences.join(' ');
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? 'an' : 'a';
}

function paramsTable({ params }: GeneratorType): string {
  return Object.keys(params).length === 0 ? 'It takes no parameters.' : manifestTable(params);
}

function manifestTable(manifest: ParamsManifest): string {
  return table(
    ['parameter', 'type', 'default', 'range', ''],
    Object.entries(manifest).map(([name, declaration]) => [
      code(name),
      declaration.type,
      defaultOf(declaration),
      rangeOf(declaration),
      declaration.description ?? '',
    ]),
  );
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
