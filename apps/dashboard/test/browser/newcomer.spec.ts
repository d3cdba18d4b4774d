import { POINTER } from '../harness/hands.js';
import { newcomerJourney } from '../harness/newcomer-journey.js';

newcomerJourney('a pointer', POINTER);
