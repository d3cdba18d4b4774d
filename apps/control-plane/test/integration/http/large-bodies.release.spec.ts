import './large-bodies.spec.js';
