import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { compileSchema, CORE_REGISTRY, defineComposition } from '@understudy/generator';
import { readModel } from '@understudy/ngram';
import { elements } from './sections.mjs';

const ROOT = join(import.meta.dirname, '../..');
const SAMPLES = 10;
const NEW_VALUES = 6;
/** The number of draws from which the page takes different new values. */
const NEW_VALUE_DRAWS = 60;
/** The maximum number of characters of a value in a code span. */
const LONGEST_SPAN = 80;
const SEED = 1;

/** Returns docs/reference/models.md: the built-in models with samples of each. */
export function samplesPage(assets, about) {
  const draw = drawer(assets);
  const locales = [...new Set(assets.index.map(({ locale }) => locale))];
  const size = [...assets.files.values()].reduce((sum, bytes) => sum + bytes.length, 0);
  const lines = [INTRODUCTION(assets.index, size)];
  for (const locale of locales) {
    lines.push(`## ${locale}`, '');
    for (const entry of assets.index.filter((other) => other.locale === locale)) {
      lines.push(
        `### ${entry.id}`,
        '',
        facts(entry, assets),
        '',
        ...listed('Samples', draw(entry, SAMPLES)),
        ...newValues(entry, draw),
        '',
      );
    }
    lines.push('');
  }
  return execFileSync(join(ROOT, 'node_modules/.bin/oxfmt'), ['--stdin-filepath', about], {
    cwd: ROOT,
    input: lines.join('\n'),
    encoding: 'utf8',
  });
}

/** Returns the locales whose last names have a form for each sex. */
function sexed(index) {
  return new Intl.ListFormat('en', { style: 'long' }).format(
    index.filter(({ id }) => id.endsWith('/female_last_names')).map(({ locale }) => locale),
  );
}

const INTRODUCTION = (
  index,
  size,
) => `<!-- Generated: npm run generate (or only this page and the models: npm run models:build). -->

# Built-in models

Understudy ships ${index.length} models in ${new Set(index.map(({ locale }) => locale)).size} locales, ${(size / 1e6).toFixed(1)} MB in total. The recipe in \`models/\` builds them and lists their sources and licences. \`NOTICE\` has the attributions.

You can use the id of a model as the \`source\` of \`{ "type": "model" }\` and as the \`generator\` of a column rule. The exception is \`en_US/cities_by_state\`, which is a map of lists.

There are three kinds of models:

- **n-gram**: generates values that it has learned, and some new ones. Each entry below states the share of new values (\`novel_mass\`). With \`exclude_originals\`, the model generates only new values. Mode \`real_word\` draws from the values that the model was trained on. Every n-gram model except \`en_US/sentences\` also has a list of real values, which can contain more values than the model has learned. Use it with \`{ "type": "list", "source": "<id>" }\`.
- **list**: contains real values and their weights. Some ids have only a list, because a model would generate too few new values or wrong ones.
- **composition**: combines other models. Use it with \`{ "use": "<id>" }\`.

In the locales ${sexed(index)}, last names have a form for each sex. Do not combine \`first_names\` and \`last_names\` of such a locale: half of the persons would have names of two sexes. Use \`full_names\`, or \`female_first_names\` with \`female_last_names\`, or \`male_first_names\` with \`male_last_names\`.

Each kind serves the following modes and constraints. \`GET /v1/models/<id>\` returns them as \`modes\` and \`constraints\`.

| kind             | modes                           | constraints                                |
| ---------------- | ------------------------------- | ------------------------------------------ |
| n-gram           | all seven                       | all six, each in some of the modes         |
| list             | \`word\`, \`real_word\`         | all except \`exclude_originals\`           |
| composition      | \`word\`                        | all except \`exclude_originals\`           |
| uploaded n-gram  | all except \`real_word\`        | all except \`exclude_originals\`           |

An [uploaded model](../guides/custom-models.md) does not contain the values that it was trained on. So it serves neither the mode \`real_word\` nor the constraint \`exclude_originals\`; both cause a \`validation_error\`. A composition draws again until a value meets the constraints, at most 1,000 times. [The reference of generators](generators.md#model) lists the modes that apply each constraint. In any other mode, the constraint has no effect and causes a warning.

Each entry below shows ten samples for seed ${SEED}, and up to six new values of an n-gram model.
`;

/** Describes an entry: its kind, its size and its licence. */
function facts(entry, { files, learned }) {
  const { id, kind, order, items, buckets, licence } = entry;
  if (kind === 'composition') return `Composition. Licence: ${licence}.`;
  if (buckets !== undefined)
    return `Map of ${buckets} lists with ${number(items)} values. Licence: ${licence}.\n\nKeys:\n\n\`\`\`text\n${keyLines(id, files)}\n\`\`\``;
  if (kind === 'list') return `List of ${number(items)} values. Licence: ${licence}.`;
  const { novelMass, tokenType } = readModel(files.get(`${id}.ngram`));
  const model = `N-gram model of order ${order}${tokenType === 'word' ? ' over words' : ''}`;
  const values = `${number(learned.get(id).length)} learned values`;
  const list = items === undefined ? '' : ` List of ${number(items)} values.`;
  return `${model} with ${values}; ${(novelMass * 100).toFixed(1)} % of draws are new.${list} Licence: ${licence}.`;
}

/** Returns the keys of a map of lists, which a generator selects with `key`, in lines of 30 keys. */
function keyLines(id, files) {
  const keys = Object.keys(JSON.parse(files.get(`${id}.list.json`)).buckets);
  return keys
    .map((key, index) => `${key}${(index + 1) % 30 === 0 ? '\n' : ' '}`)
    .join('')
    .trimEnd();
}

/** Lists different values that an n-gram model has not learned. Returns no lines for other kinds. */
function newValues(entry, draw) {
  if (entry.kind !== 'ngram') return [];
  const values = new Set(draw(entry, NEW_VALUE_DRAWS, { exclude_originals: true }));
  return listed('New', [...values].slice(0, NEW_VALUES));
}

/**
 * Lists values under a title as code spans, so that values are separate and Markdown does not interpret them.
 * If a value is too long for a code span, writes all of them as lines of a code block.
 */
function listed(title, values) {
  if (values.some((value) => value.length > LONGEST_SPAN)) {
    return [`${title}:`, '', '```text', ...values, '```', ''];
  }
  return [`- ${title}: ${values.map((value) => `\`${value}\``).join(', ')}`];
}

/**
 * Returns a function that draws `count` values of an entry under constraints. It draws like a schema with one
 * field.
 */
function drawer({ files, values }) {
  const models = cached((id) => {
    const bytes = files.get(`${id}.ngram`);
    return bytes && readModel(bytes);
  });
  const lists = cached((id) =>
    values.has(id) ? elements(values.get(id)) : JSON.parse(files.get(`${id}.list.json`)).buckets,
  );
  const options = { models, assets: lists, nowMs: 0 };
  return ({ id, kind, buckets }, count, constraints = {}) => {
    const composition = kind === 'composition' ? JSON.parse(files.get(`${id}.composition.json`)) : undefined;
    const registry = composition
      ? CORE_REGISTRY.with(defineComposition(composition, options))
      : CORE_REGISTRY;
    const value = {
      composition: { use: composition?.name },
      ngram: {
        type: 'model',
        source: id,
        ...(models(id)?.tokenType === 'word' && { generation: { mode: 'sentence' } }),
        constraints,
      },
      list: { type: 'list', source: id, ...(buckets === undefined ? {} : { key: 'CA' }) },
    }[kind];
    const plan = compileSchema({ generators: { value }, output: ['value'] }, { ...options, registry });
    return [...plan.records(SEED, 0, count)].map((record) => record.value);
  };
}

function cached(read) {
  const kept = new Map();
  return (id) => {
    if (!kept.has(id)) kept.set(id, read(id));
    return kept.get(id);
  };
}

function number(count) {
  return count.toLocaleString('en');
}
