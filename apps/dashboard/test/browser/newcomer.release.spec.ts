import { KEYBOARD } from '../harness/hands.js';
import { newcomerJourney } from '../harness/newcomer-journey.js';

newcomerJourney('the keyboard only', KEYBOARD);
