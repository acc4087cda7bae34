const part = require('./part');
console.log('42 of', part.name);
