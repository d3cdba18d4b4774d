import './database-settings.spec.js';
