// what: an ECMAScript module reads its input
// contest: OK 9
// strict: OK 9
// stdin: 9
import fs from 'node:fs';
console.log(fs.readFileSync(0, 'utf8').trim());
