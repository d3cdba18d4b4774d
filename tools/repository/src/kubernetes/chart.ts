import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv, type ErrorObject } from 'ajv';
import { parse } from 'yaml';

/** The charts, by the name of their folder in deploy/helm. */
export const CHARTS = ['understudy', 'understudy-agent'] as const;
export type ChartName = (typeof CHARTS)[number];

export type Values = Readonly<Record<string, unknown>>;

/** A chart as it is on the disk. */
export interface Chart {
  readonly name: string;
  readonly version: string;
  readonly appVersion: string;
  /** The defaults of values.yaml. */
  readonly defaults: Values;
  readonly schema: object;
  /** The text of each file in templates/, by a path such as `understudy-agent/templates/configmap.yaml`. */
  readonly templates: Readonly<Record<string, string>>;
  /** The values of each file in ci/, by a name such as `minimal`. */
  readonly cases: ReadonlyMap<string, Values>;
}

/** Reads a chart. @throws Error if a file is missing, or is not valid YAML or JSON */
export function readChart(root: string, name: ChartName): Chart {
  const folder = join(root, 'deploy/helm', name);
  const text = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const metadata = parse(text('Chart.yaml')) as { version: string; appVersion: string };
  return {
    name,
    version: metadata.version,
    appVersion: metadata.appVersion,
    defaults: parse(text('values.yaml')) as Values,
    schema: JSON.parse(text('values.schema.json')) as object,
    templates: Object.fromEntries(
      readdirSync(join(folder, 'templates')).map((file) => [
        `${name}/templates/${file}`,
        text(`templates/${file}`),
      ]),
    ),
    cases: new Map(
      readdirSync(join(folder, 'ci')).map((file) => [
        file.replace(/-values\.yaml$/, ''),
        parse(text(`ci/${file}`)) as Values,
      ]),
    ),
  };
}

/**
 * Merges the values of a release into the defaults of a chart, as helm does. Maps are merged at all levels, and null
 * removes a key. All other values, including lists, replace the default.
 */
export function mergeValues(defaults: Values, given: Values): Values {
  const merged = new Map(Object.entries(defaults));
  for (const [key, value] of Object.entries(given)) {
    const before = merged.get(key);
    if (value === null) merged.delete(key);
    else merged.set(key, isMap(value) && isMap(before) ? mergeValues(before, value) : value);
  }
  return Object.fromEntries(merged);
}

/**
 * Checks merged values against values.schema.json, as helm does before it renders.
 * @returns one line for each problem, such as `/databases/0 must have required property 'key'`; empty if there is none
 */
export function checkValues({ schema }: Pick<Chart, 'schema'>, values: Values): string[] {
  const isValid = new Ajv({ allErrors: true, strict: false }).compile(schema);
  if (isValid(values)) return [];
  const causes = (isValid.errors ?? []).filter(({ keyword }) => keyword !== 'if');
  return [...new Set(causes.map(describeError))];
}

function describeError({ instancePath, message, params }: ErrorObject): string {
  const { additionalProperty } = params as { additionalProperty?: string };
  const detail = additionalProperty === undefined ? '' : `: ${additionalProperty}`;
  return `${instancePath || '/'} ${message ?? 'is invalid'}${detail}`;
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
