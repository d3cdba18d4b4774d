type Labels = Readonly<Record<string, string>>;

export const STORED_DATA_TEXTS = {
  headline: 'No field here can hold a value of a row.',
  text: 'This page lists everything that the control plane stores about this job, and every field that an agent can send. The lists come from the schema of the messages and from the tables of the control plane.',
  print: 'Print',
  stats: {
    facts: 'Stored facts',
    messages: 'Messages of an agent',
    fields: 'Fields of these messages',
    texts: 'Fields that can hold text',
    textsHint: 'Each was reviewed',
  },
  facts: {
    title: 'Stored facts',
    text: 'The values that are stored for this job now. A long list shows its first 20 values.',
    columns: { path: 'Fact', origin: 'Comes from', values: 'Stored values' },
    origins: {
      request: 'Your request',
      agent: 'The agent',
      control_plane: 'The control plane',
    } as Labels,
    none: 'None',
    hidden: 'Not shown, because you can have written anything in the request.',
    more: (count: string) => `${count} values`,
  },
  messages: {
    title: 'Messages of an agent',
    text: 'An agent can send no other message about a job, and no other field.',
    columns: {
      field: 'Field',
      kind: 'Kind',
      meaning: 'Meaning',
      reason: 'Why it holds no value of a row',
      storedIn: 'Stored as',
    },
    list: 'list',
    fields: (count: number) => (count === 1 ? '1 field' : `${count} fields`),
    noFields: 'This message has no field.',
    typeReason: 'Its type cannot hold text.',
    nested: 'Has the fields of this message.',
    notStored: 'Not stored',
    kinds: {
      number: 'Number',
      hash: 'Hash',
      flag: 'Yes or no',
      choice: 'Choice',
      text: 'Text',
      time: 'Time',
      message: 'Message',
    } as Labels,
  },
  choices: {
    title: 'Choices',
    text: 'A field of the kind “Choice” can have only one of these values.',
    columns: { value: 'Value', meaning: 'Meaning' },
    values: (count: number) => (count === 1 ? '1 value' : `${count} values`),
  },
} as const;
