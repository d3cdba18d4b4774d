import { JOB_SCHEMA } from '@understudy/agent-protocol';

import { STORED_FACTS } from './stored-facts.js';
import { factsOf, STORED_IN } from './stored-fields.js';

const fields = JOB_SCHEMA.messages.flatMap(({ name, fields: own }) =>
  own.map((field) => ({ ...field, path: `${name}.${field.name}`, facts: factsOf(name, field.name) })),
);

describe('the fields that an agent can send about a job', () => {
  it('each have an entry with the facts that contain them', () => {
    const values = fields.filter(({ kind }) => kind !== 'message');
    expect(values.filter(({ facts }) => facts === undefined).map(({ path }) => path)).toEqual([]);
    expect(values.length).toBeGreaterThan(60);
  });

  it('are stored only in facts whose origin is the agent, except for ids and numbers of the control plane', () => {
    const byPath = new Map(STORED_FACTS.map(({ path, origin }) => [path, origin]));
    const others = fields.flatMap(({ path, facts = [] }) =>
      facts.filter((fact) => byPath.get(fact) !== 'agent').map((fact) => `${path} in ${fact}`),
    );
    expect(others).toEqual([
      'Lease.job_id in id',
      'Lease.epoch in epoch',
      'SyncJobEvent.job_id in id',
      'SyncJobEvent.epoch in epoch',
      'TableProgress.table_index in tables[]',
    ]);
  });

  it('explain each fact of an agent', () => {
    const explained = new Set(fields.flatMap(({ facts = [] }) => facts));
    const ofAgents = STORED_FACTS.filter(({ origin }) => origin === 'agent').map(({ path }) => path);
    expect(ofAgents.filter((path) => !explained.has(path))).toEqual([]);
  });

  it('have no entry for a message or field that the schema lacks', () => {
    const known = new Set(fields.flatMap(({ path }) => [path, path.split('.')[0]]));
    const entries = Object.entries(STORED_IN).flatMap(([message, entry]) =>
      Array.isArray(entry) ? [message] : Object.keys(entry).map((field) => `${message}.${field}`),
    );
    expect(entries.filter((path) => !known.has(path))).toEqual([]);
  });

  it('are text only for ids of the control plane and names from catalogs', () => {
    const texts = fields.filter(({ kind }) => kind === 'text');
    expect(texts.map(({ path, reviewed }) => [path, reviewed])).toEqual([
      ['Lease.job_id', 'an id that the control plane issued'],
      ['SyncJobEvent.job_id', 'an id that the control plane issued'],
      ['SyncTargetCleared.job_id', 'an id that the control plane issued'],
      ['SqlName.text', expect.stringContaining('an identifier of a catalog')],
    ]);
  });
});
