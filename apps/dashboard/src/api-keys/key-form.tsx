import { Button, Form, RadioGroup, Select, TextField } from '@understudy/ui';
import type { CreateTokenRequest } from '@understudy/client';
import { useState } from 'react';

import { fieldProblems } from '../api/problem.js';
import { ROLES, type Role } from '../session/session.js';
import { useSession } from '../session/use-session.js';
import { accessesOf, SCOPE_GROUPS, scopesOf, type Access, type ScopeGroup } from './scopes.js';
import { TEXTS } from './texts.js';

const EXPIRY_DAYS = ['30', '90', '180', '365'];
const { form } = TEXTS;

/** The form for a new key. It offers only what the session may give. */
export function KeyForm({
  onSubmit,
  onCancel,
  pending,
  error,
}: {
  readonly onSubmit: (request: CreateTokenRequest) => void;
  readonly onCancel: () => void;
  readonly pending: boolean;
  readonly error: unknown;
}) {
  const session = useSession();
  const isNarrowed = session.scopes !== null;
  const roles = ROLES.slice(0, ROLES.indexOf(session.role) + 1);
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>(roles.includes('member') ? 'member' : 'viewer');
  const [days, setDays] = useState('90');
  const [access, setAccess] = useState<'all' | 'some'>('some');
  const [chosen, setChosen] = useState<Readonly<Record<string, Access>>>({});
  const [isIncomplete, setIncomplete] = useState(false);
  const problems = fieldProblems(error, { name: 'name', role: 'role', scopes: 'scopes' });

  const submit = () => {
    const scopes = scopesOf(chosen);
    const needsScopes = access === 'some' && scopes.length === 0;
    setIncomplete(needsScopes);
    if (needsScopes) return;
    onSubmit({ name, role, expires_in_days: Number(days), ...(access === 'some' && { scopes }) });
  };
  return (
    <Form onSubmit={submit}>
      <TextField
        label={form.name}
        hint={form.nameHint}
        value={name}
        onChange={setName}
        error={problems.name}
        maxLength={100}
        autoComplete="off"
        required
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={form.role}
          options={roles.map((value) => ({ value, label: value, hint: TEXTS.roles[value] }))}
          value={role}
          onChange={setRole}
          error={problems.role}
        />
        <Select
          label={form.expiry}
          options={EXPIRY_DAYS.map((value) => ({ value, label: form.days(Number(value)) }))}
          value={days}
          onChange={setDays}
        />
      </div>
      <RadioGroup
        label={form.access}
        options={[
          { value: 'some', label: form.accessSome, hint: form.accessSomeHint },
          { value: 'all', label: form.accessAll, disabled: isNarrowed },
        ]}
        value={access}
        onChange={setAccess}
        error={isIncomplete ? form.accessRequired : problems.scopes}
      />
      {access === 'some' && (
        <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
          {SCOPE_GROUPS.map((group) => (
            <AccessSelect
              key={group.id}
              group={group}
              granted={session.scopes}
              value={chosen[group.id] ?? 'none'}
              onChange={(value) => {
                setIncomplete(false);
                setChosen({ ...chosen, [group.id]: value });
              }}
            />
          ))}
        </div>
      )}
      <div className="flex flex-wrap justify-end gap-2 pt-1">
        <Button onClick={onCancel}>{form.cancel}</Button>
        <Button type="submit" kind="primary" pending={pending}>
          {form.submit}
        </Button>
      </div>
    </Form>
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
