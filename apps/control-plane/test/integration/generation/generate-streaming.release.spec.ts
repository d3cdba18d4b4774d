import './generate-streaming.spec.js';
