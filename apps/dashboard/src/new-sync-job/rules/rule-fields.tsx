import { Combobox, Select, TextField } from '@understudy/ui';
import { useMemo, type ReactNode } from 'react';

import type { Catalog } from '../../engine/worker/messages.js';
import {
  generatorOf,
  kindOf,
  newRule,
  paramsOf,
  pathOfParam,
  type Rule,
  RULE_KINDS,
  ruleOfGenerator,
  withKey,
  withParam,
} from '../form/rule-kinds.js';
import { TEXTS } from '../texts.js';
import { JsonField, ParamField } from './param-field.js';
import { RuleModifiers } from './rule-modifiers.js';

const { rule: texts } = TEXTS;

export interface RuleFieldsProps {
  /** The rule, or undefined while nobody has decided. */
  readonly rule: Rule | undefined;
  readonly onChange: (rule: Rule) => void;
  readonly catalog: Catalog | undefined;
  readonly customModels: readonly string[];
  /** Returns the problem at a path of the rule, such as `pattern`. */
  readonly errorAt: (path: string) => string | undefined;
  /** Sample values, between the fields of the rule and its other options. */
  readonly samples: ReactNode;
}

/** The fields of a rule. They come from the engine's own tables of models and generators. */
export function RuleFields(props: RuleFieldsProps) {
  const { rule, onChange, errorAt } = props;
  const kind = kindOf(rule);
  return (
    <div className="flex flex-col gap-4">
      <Select
        label={texts.kind}
        options={RULE_KINDS.map((value) => ({ value, label: texts.kinds[value] }))}
        value={kind ?? null}
        onChange={(next) => {
          if (next !== kind) onChange(newRule(next));
        }}
      />
      {rule !== undefined && kind === 'model' && <ModelField {...props} rule={rule} />}
      {rule !== undefined && kind === 'template' && (
        <TextField
          label={texts.pattern}
          hint={texts.patternHint}
          mono
          required
          value={typeof rule['pattern'] === 'string' ? rule['pattern'] : ''}
          onChange={(pattern) => onChange({ ...rule, pattern })}
          error={errorAt('pattern')}
        />
      )}
      {rule !== undefined && kind === 'generator' && <GeneratorFields {...props} rule={rule} />}
      {rule !== undefined && kind === 'json' && (
        <JsonField
          label={texts.paths}
          hint={texts.pathsHint}
          value={rule['json']}
          onChange={(json) => onChange({ ...rule, json: json ?? {} })}
          error={errorAt('json')}
        />
      )}
      {props.samples}
      {rule !== undefined && kind !== undefined && kind !== 'keep' && kind !== 'json' && (
        <RuleModifiers rule={rule} onChange={onChange} errorAt={errorAt} />
      )}
    </div>
  );
}

type KindProps = RuleFieldsProps & { readonly rule: Rule };

function ModelField({ rule, onChange, catalog, customModels, errorAt }: KindProps) {
  const model = String(rule['generator']);
  const options = useMemo(() => {
    const known = [...customModels, ...(catalog?.models.map(({ id }) => id) ?? [])];
    const all = model === '' || known.includes(model) ? known : [model, ...known];
    return all.map((value) => ({ value, label: value }));
  }, [catalog, customModels, model]);
  return (
    <Combobox
      label={texts.model}
      hint={texts.modelHint}
      required
      options={options}
      value={model === '' ? null : model}
      onChange={(next) => onChange(withKey(rule, 'generator', next ?? ''))}
      error={model === '' ? undefined : errorAt('generator')}
    />
  );
}

function GeneratorFields({ rule, onChange, catalog, errorAt }: KindProps) {
  const name = generatorOf(rule);
  const generators = catalog?.generators.filter(({ name: each }) => each !== '@svc/core:model') ?? [];
  const chosen = generators.find((generator) => generator.name === name);
  const label = (each: string): string => each.replace(/^@svc\/core:(logic\.)?/, '');
  const options = generators.map((generator) => ({
    value: generator.name,
    label: label(generator.name),
    hint: generator.description.split('. ', 1)[0]?.replaceAll('`', ''),
  }));
  const own =
    name === undefined || chosen !== undefined ? [] : [{ value: name, label: label(name), hint: undefined }];
  return (
    <>
      <Select
        label={texts.generator}
        options={[...own, ...options]}
        value={name ?? null}
        onChange={(next) => {
          const generator = generators.find((each) => each.name === next);
          if (generator !== undefined && next !== name) onChange(ruleOfGenerator(generator));
        }}
        error={errorAt('algorithm') ?? errorAt('use') ?? errorAt('type')}
      />
      <div className="grid min-w-0 items-start gap-4 sm:grid-cols-2">
        {Object.entries(chosen?.params ?? {}).map(([param, declaration]) => (
          <ParamField
            key={`${name}.${param}`}
            name={param}
            declaration={declaration}
            value={paramsOf(rule)[param]}
            onChange={(value) => onChange(withParam(rule, param, value))}
            error={errorAt(pathOfParam(rule, param))}
          />
        ))}
      </div>
    </>
  );
}
