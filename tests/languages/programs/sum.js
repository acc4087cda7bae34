const data = require('fs').readFileSync(0, 'latin1').split(/\s+/);
let sum = 0;
const lines = [];
for (let i = 1; i <= +data[0]; i++)
	lines.push(sum += +data[i]);
console.log(lines.join('\n'));
