import './agent-matching.spec.js';
