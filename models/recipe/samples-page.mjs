import { createRequire } from 'node:module';
import { compileSchema, CORE_REGISTRY, defineComposition } from '@understudy/generator';
import { readModel } from '@understudy/ngram';
import { elements } from './sections.mjs';

const prettier = createRequire(import.meta.url)('prettier');
const SAMPLES = 10;
const MADE_UP = 6;
/** To find different ones that are made up. */
const MADE_UP_DRAWS = 60;
const SEED = 1;

/** docs/models.md: what ships, and samples of each to be read. */
export async function samplesPage(assets, about) {
  const draw = drawer(assets);
  const locales = [...new Set(assets.index.map(({ locale }) => locale))];
  const size = [...assets.files.values()].reduce((sum, bytes) => sum + bytes.length, 0);
  const lines = [INTRODUCTION(assets.index, size)];
  for (const locale of locales) {
    lines.push(`## ${locale}`, '');
    for (const entry of assets.index.filter((other) => other.locale === locale)) {
      lines.push(
        `- **\`${entry.id}\`** ${facts(entry, assets)}<br>${listed(draw(entry, SAMPLES))}${madeUp(entry, draw)}`,
      );
    }
    lines.push('');
  }
  return prettier.format(lines.join('\n'), { ...(await prettier.resolveConfig(about)), parser: 'markdown' });
}

const INTRODUCTION = (index, size) => `<!-- Generated: npm run generate (or models:build alone). -->

# Built-in models

${index.length} ids in ${new Set(index.map(({ locale }) => locale)).size} locales, ${(size / 1e6).toFixed(1)} MB. Made by the recipe in \`models/\`, where sources and licences are told; \`NOTICE\` has the attributions.

Each id but \`en_US/cities_by_state\`, which is a map of lists, is a \`source\` of \`{ "type": "model" }\` and a \`generator\` of a column rule.

- **n-gram**: follows what it has learned, and makes some values that it has not: _new_ is their share of all draws (\`novel_mass\`). \`exclude_originals\` gives those alone: the second line has some. Every n-gram but \`en_US/sentences\` has a list of what exists beside it, larger in places: \`{ "type": "list", "source": "<id>" }\`. Mode \`real_word\` draws from the values that the model itself was trained on.
- **list**: what exists, by its weights. Where an id has a list alone, made-up values would be too few or wrong.
- **composition**: made of the others: \`{ "use": "<id>" }\`.

What each kind serves, as \`modes\` and \`constraints\` of \`GET /v1/models/<id>\` say too:

| kind             | modes                    | constraints                                |
| ---------------- | ------------------------ | ------------------------------------------ |
| n-gram           | all seven                | all six, each in some of the modes         |
| list             | \`word\`, \`real_word\`  | all but \`exclude_originals\`              |
| composition      | \`word\`                 | all but \`exclude_originals\`              |
| uploaded n-gram  | all but \`real_word\`    | all but \`exclude_originals\`              |

An uploaded model ([docs/custom-models.md](custom-models.md)) holds no values that it was trained on, so it serves neither the mode \`real_word\` nor the constraint \`exclude_originals\`: both are a \`validation_error\`. A composition meets constraints by generating values again, at most 1,000 times. [docs/generators.md](generators.md#model) lists the modes that apply each constraint; a constraint in another mode is a warning.

Ten samples of each at seed ${SEED}.
`;

function facts(entry, { files, learned }) {
  const { id, kind, order, items, buckets } = entry;
  if (kind === 'composition') return `composition (${entry.licence})`;
  if (buckets !== undefined) return `list, ${number(items)} in ${buckets} buckets (${entry.licence})`;
  if (kind === 'list') return `list, ${number(items)} (${entry.licence})`;
  const { novelMass, tokenType } = readModel(files.get(`${id}.ngram`));
  const about = [
    `n-gram of order ${order}${tokenType === 'word' ? ' over words' : ''}`,
    `${number(learned.get(id).length)} values learned`,
    `${(novelMass * 100).toFixed(1)} % new`,
  ].join(', ');
  return `${about}${items === undefined ? '' : `; list, ${number(items)}`} (${entry.licence})`;
}

/** A line of different values of an n-gram that it has not learned; empty for others. */
function madeUp(entry, draw) {
  if (entry.kind !== 'ngram') return '';
  const values = new Set(draw(entry, MADE_UP_DRAWS, { exclude_originals: true }));
  return `<br>_new:_ ${listed([...values].slice(0, MADE_UP))}`;
}

function listed(values) {
  return values.map(escaped).join(' · ');
}

/** @returns a function of an entry of the index, a count and constraints that draws as a schema with one field does */
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

function escaped(text) {
  return text.replace(/[\\`*_<>[\]]/g, '\\$&');
}
