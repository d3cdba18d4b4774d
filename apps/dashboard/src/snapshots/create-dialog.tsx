import { useNavigate } from '@tanstack/react-router';
import { NumberField, RadioGroup, Select, TextArea, TextField } from '@understudy/ui';

import { client } from '../api/client.js';
import { MutationDialog, useFields } from '../api/mutation-dialog.js';
import { useListedAgents } from '../work/agents.js';
import { DatabaseField } from '../work/database-field.js';
import { SNAPSHOTS } from './queries.js';
import { TEXTS } from './texts.js';

const { create: texts } = TEXTS;
const ANY = 'any';
/** Maps the paths of the API to the fields. */
const FIELDS = {
  name: 'name',
  database: 'database',
  tables: 'tables',
  expires_in_days: 'days',
  agent: 'agent',
} as const;

/** The dialog that creates a snapshot, and opens its page. */
export function CreateSnapshotDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const { values, field } = useFields({
    name: '',
    database: '',
    contents: 'all' as 'all' | 'some',
    tables: '',
    days: 30 as number | null,
    agent: ANY,
  });
  const { name, database, contents, tables, days, agent } = values;
  const lines = tables.split('\n').map((line) => line.trim());
  const names = contents === 'all' ? [] : lines.filter((line) => line !== '');
  const run = () =>
    client.snapshots.create({
      name,
      database: database.trim(),
      ...(names.length > 0 && { tables: names }),
      ...(days !== null && { expires_in_days: days }),
      ...(agent !== ANY && { agent: { id: agent } }),
    });
  return (
    <MutationDialog
      title={texts.title}
      text={texts.text}
      confirmLabel={texts.submit}
      size="medium"
      check={() => ({ tables: contents === 'all' || names.length > 0 ? undefined : texts.noTables })}
      run={run}
      queryKey={SNAPSHOTS}
      done={texts.done}
      fields={FIELDS}
      onClose={onClose}
      onDone={({ id }) => navigate({ to: '/snapshots/$snapshotId', params: { snapshotId: id } })}
    >
      {(problems) => (
        <>
          <TextField
            {...field('name', problems)}
            label={texts.name}
            hint={texts.nameHint}
            maxLength={200}
            autoComplete="off"
            required
          />
          <DatabaseField {...field('database', problems)} label={texts.database} hint={texts.databaseHint} />
          <RadioGroup
            {...field('contents')}
            label={texts.scope}
            options={[
              { value: 'all', label: texts.all, hint: texts.allHint },
              { value: 'some', label: texts.some, hint: texts.someHint },
            ]}
          />
          {contents === 'some' && (
            <TextArea
              {...field('tables', problems)}
              label={texts.tables}
              hint={texts.tablesHint}
              rows={4}
              mono
            />
          )}
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <NumberField
              {...field('days', problems)}
              label={texts.expires}
              hint={texts.expiresHint}
              min={1}
              max={365}
              unit={texts.days}
              required
            />
            <AgentSelect {...field('agent', problems)} />
          </div>
        </>
      )}
    </MutationDialog>
  );
}

function AgentSelect({
  value,
  onChange,
  error,
}: {
  readonly value: string;
  readonly onChange: (agent: string) => void;
  readonly error: string | undefined;
}) {
  const agents = useListedAgents()?.filter(({ status }) => status !== 'revoked') ?? [];
  return (
    <Select
      label={texts.agent}
      options={[
        { value: ANY, label: texts.anyAgent },
        ...agents.map(({ id, name, snapshot_store: store }) => ({
          value: id,
          label: name,
          ...(store === 'none' && { hint: texts.noStore, disabled: true }),
        })),
      ]}
      value={value}
      onChange={onChange}
      error={error}
    />
  );
}
