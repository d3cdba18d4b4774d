import './playground-engine.spec.js';
