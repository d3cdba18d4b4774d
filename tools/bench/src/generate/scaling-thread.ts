import { parentPort } from 'node:worker_threads';

import { personRecords } from './schemas/person-records.js';
import type { RowRange } from './scaling.js';

const make = personRecords('lists');

parentPort?.on('message', ({ from, count }: RowRange) => parentPort?.postMessage(make(from, count)));
