import './sync-sequences.spec.js';
