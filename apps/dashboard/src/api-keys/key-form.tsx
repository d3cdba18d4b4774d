import { RadioGroup, Select, TextField } from '@understudy/ui';
import { useState } from 'react';

import { client } from '../api/client.js';
import { MutationDialog, useFields } from '../api/mutation-dialog.js';
import { roleOptions } from '../session/roles.js';
import type { Role } from '../session/session.js';
import { useSession } from '../session/use-session.js';
import type { ShownKey } from './key-dialogs.js';
import { API_KEYS } from './queries.js';
import {
  accessesOf,
  SCOPE_GROUPS,
  scopesOf,
  scopesOfPreset,
  type Access,
  type Preset,
  type ScopeGroup,
} from './scopes.js';
import { TEXTS } from './texts.js';

const EXPIRY_DAYS = ['30', '90', '180', '365'];
const { form } = TEXTS;

/** The dialog that creates a key. It offers only what the session may give. `onCreated` gets the text of the key. */
export function CreateKeyDialog({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (key: ShownKey) => void;
}) {
  const session = useSession();
  const isNarrowed = session.scopes !== null;
  const presets = { ci: scopesOfPreset('ci', session.scopes), read: scopesOfPreset('read', session.scopes) };
  const { values, field } = useFields({
    name: '',
    role: (session.role === 'viewer' ? 'viewer' : 'member') as Role,
    days: '90',
    scopes: (presets.ci.length > 0 ? 'ci' : 'some') as Preset | 'all' | 'some',
  });
  const { name, role, days, scopes: access } = values;
  const [chosen, setChosen] = useState<Readonly<Record<string, Access>>>({});
  const scopes = access === 'ci' || access === 'read' ? presets[access] : scopesOf(chosen);
  return (
    <MutationDialog
      title={form.title}
      confirmLabel={form.submit}
      size="medium"
      run={() =>
        client.tokens.create({
          name,
          role,
          expires_in_days: Number(days),
          ...(access !== 'all' && { scopes }),
        })
      }
      queryKey={API_KEYS}
      check={() => ({ scopes: access === 'all' || scopes.length > 0 ? undefined : form.accessRequired })}
      fields={{ name: 'name', role: 'role', scopes: 'scopes' }}
      onClose={onClose}
      onDone={onCreated}
    >
      {(problems) => (
        <>
          <TextField
            {...field('name', problems)}
            label={form.name}
            hint={form.nameHint}
            maxLength={100}
            autoComplete="off"
            required
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <Select {...field('role', problems)} label={form.role} options={roleOptions(session.role)} />
            <Select
              {...field('days')}
              label={form.expiry}
              options={EXPIRY_DAYS.map((value) => ({ value, label: form.days(Number(value)) }))}
            />
          </div>
          <RadioGroup
            {...field('scopes', problems)}
            label={form.access}
            options={[
              ...(['ci', 'read'] as const).map((preset) => ({
                value: preset,
                ...form.presets[preset],
                disabled: presets[preset].length === 0,
              })),
              { value: 'all', label: form.accessAll, hint: form.accessAllHint, disabled: isNarrowed },
              { value: 'some', label: form.accessSome, hint: form.accessSomeHint },
            ]}
          />
          {access === 'some' && (
            <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
              {SCOPE_GROUPS.map((group) => (
                <AccessSelect
                  key={group.id}
                  group={group}
                  granted={session.scopes}
                  value={chosen[group.id] ?? 'none'}
                  onChange={(value) => setChosen({ ...chosen, [group.id]: value })}
                />
              ))}
            </div>
          )}
        </>
      )}
    </MutationDialog>
  );
}

function AccessSelect({
  group,
  granted,
  value,
  onChange,
}: {
  readonly group: ScopeGroup;
  readonly granted: readonly string[] | null;
  readonly value: Access;
  readonly onChange: (access: Access) => void;
}) {
  const labels = group.id === 'generate' ? TEXTS.accessesOfGenerate : TEXTS.accesses;
  const accesses = accessesOf(group, granted);
  return (
    <Select
      label={TEXTS.resources[group.id] ?? group.id}
      options={accesses.map((access) => ({ value: access, label: labels[access] }))}
      value={value}
      onChange={onChange}
      disabled={accesses.length === 1}
    />
  );
}
