import { PROGRAMS } from '../src/staging/stage-program.js';
import { describeStagedPrograms } from './describe-staged-programs.js';

jest.setTimeout(300_000); // packs each program with all its dependencies

describeStagedPrograms(PROGRAMS.filter(({ folder }) => folder !== 'apps/agent'));
